// Splits the merge of two sorted lists at any output position without merging (merge path).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::suffix {

/// Number of elements from the first list among the first `merged` elements of a stable merge; equal keys of the first
/// list come first. at_first(i), at_second(i): the lists' keys, not decreasing. merged: at most the sum of the sizes.
///
/// Source: Green, McColl and Bader, "GPU Merge Path", ICS 2012. Cost: a binary search.
template <class First, class Second>
WS_HD inline std::uint64_t merge_path(std::uint64_t merged, std::uint64_t first_size, std::uint64_t second_size,
                                      First at_first, Second at_second) {
  std::uint64_t low = merged > second_size ? merged - second_size : 0;
  std::uint64_t high = merged < first_size ? merged : first_size;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (at_first(middle) <= at_second(merged - 1 - middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace warpseed::suffix
