// Sorts 64-bit keys that are near each other. Private to the module.
#pragma once

#include <cstdint>

#include "core/huge_pages.hpp"

namespace warpseed::records {

/// A key, and the number of what it is the key of.
struct NumberedKey {
  std::uint64_t key;
  std::uint32_t number;
};

/// Keys to be sorted, in memory that can be used again.
struct KeySorting {
  HugePageVector<NumberedKey> keys;
  HugePageVector<std::uint64_t> scratch;

  /// Sorts by key; equal keys keep their order. O(n) for each 12 bits of the difference between the largest and the
  /// smallest key; O(n) if the keys are in order; O(n log n) if difference and number do not fit in 64 bits together.
  void sort();
};

}  // namespace warpseed::records
