// In-place sorting of short arrays, callable from kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed {

/// Insertion sort for few elements, else heap sort on a device and std::sort on a CPU.
/// Not stable: `less` must order any two different elements. O(n log n), no extra memory.
template <class T, class Less>
WS_HD inline void small_sort(T* items, std::uint32_t count, Less less) {
  constexpr std::uint32_t few = 24;  // insertion sort is faster up to this size
  if (count <= few) {
    for (std::uint32_t i = 1; i < count; ++i) {
      const T item = items[i];
      std::uint32_t at = i;
      for (; at > 0 && less(item, items[at - 1]); --at) items[at] = items[at - 1];
      items[at] = item;
    }
    return;
  }
#ifndef __CUDA_ARCH__
  std::sort(items, items + count, less);  // the same order, faster
#else
  const auto sift = [&](std::uint32_t root, std::uint32_t size) {
    const T item = items[root];
    for (std::uint32_t child; (child = 2 * root + 1) < size; root = child) {
      if (child + 1 < size && less(items[child], items[child + 1])) ++child;
      if (!less(item, items[child])) break;
      items[root] = items[child];
    }
    items[root] = item;
  };
  for (std::uint32_t i = count / 2; i-- > 0;) sift(i, count);
  for (std::uint32_t size = count; --size > 0;) {
    const T largest = items[0];
    items[0] = items[size];
    items[size] = largest;
    sift(0, size);
  }
#endif
}

}  // namespace warpseed
