// Sorted lists of suffixes, in memory or as the merge of two.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/lanes.cuh"

namespace warpseed::suffix::cuda {

/// Suffixes in ascending order, each with a 64-bit key; keys do not decrease. Owns nothing.
///
/// A list may be induced: it was sorted by the `lead` symbols that precede each stored suffix, which are the low
/// `lead_bits` of the stored key. It then represents the suffixes that begin `lead` symbols earlier, and their keys
/// begin with those symbols.
struct StoredList {
  const std::uint64_t* keys = nullptr;       // [size]
  const std::uint32_t* positions = nullptr;  // [size]
  unsigned lead = 0, lead_bits = 0;          // symbols, and their bits in a key
  std::uint64_t mask = ~std::uint64_t{0};    // the bits of a key that are compared
  std::uint64_t mark = 0;                    // set in every key in addition

  __device__ std::uint64_t key(std::uint32_t i) const {
    const std::uint64_t stored = __ldg(keys + i);
    return ((stored >> lead_bits | stored << ((64 - lead_bits) % 64)) & mask) | mark;
  }
  __device__ std::uint32_t position(std::uint32_t i) const { return __ldg(positions + i) - lead; }
};

/// Where a suffix of a merged list is: the number of the list in memory, and its index there.
struct StoredIndex {
  std::uint32_t index;
  std::uint32_t list;
};

/// A list that is one of those in memory.
struct SuffixList : StoredList {
  std::uint64_t size = 0;

  static constexpr unsigned stored_lists = 1;

  SuffixList() = default;
  SuffixList(const StoredList& stored, std::uint64_t count) : StoredList(stored), size(count) {}

  __device__ StoredIndex stored_index(std::uint32_t i) const { return {i, 0}; }
  __device__ void store(StoredList* stored) const { *stored = *this; }
};

/// The merge of two lists, which stays where the lists are: bits say which of them comes next. Owns nothing.
template <class First, class Second>
struct MergedList {
  First first;
  Second second;
  const std::uint32_t* from_second = nullptr;  // [size / 32 + 1] bit i%32 of word i/32: suffix i is of the second list
  const std::uint32_t* second_before = nullptr;  // the same: suffixes of the second list in earlier words
  std::uint64_t size = 0;

  static constexpr unsigned stored_lists = First::stored_lists + Second::stored_lists;

  /// Does not branch on the list, so that the threads of a warp find suffixes of different lists at once.
  __device__ StoredIndex stored_index(std::uint32_t i) const {
    const std::uint32_t bits = __ldg(from_second + i / 32), bit = 1U << (i % 32);
    const std::uint32_t in_second =
        __ldg(second_before + i / 32) + static_cast<std::uint32_t>(__popc(bits & (bit - 1)));
    const StoredIndex a = first.stored_index(i - in_second), b = second.stored_index(in_second);
    const bool is_second = bits & bit;
    return {is_second ? b.index : a.index, is_second ? First::stored_lists + b.list : a.list};
  }

  /// Writes the lists by their numbers.
  __device__ void store(StoredList* stored) const {
    first.store(stored);
    second.store(stored + First::stored_lists);
  }

  __device__ std::uint64_t key(std::uint32_t i) const {
    const std::uint32_t bits = __ldg(from_second + i / 32), bit = 1U << (i % 32);
    const std::uint32_t in_second =
        __ldg(second_before + i / 32) + static_cast<std::uint32_t>(__popc(bits & (bit - 1)));
    return bits & bit ? second.key(in_second) : first.key(i - in_second);
  }
};

/// Owns keys and positions.
struct KeyedSuffixes {
  Buffer<std::uint64_t> keys;
  Buffer<std::uint32_t> positions;

  KeyedSuffixes() = default;
  KeyedSuffixes(std::uint64_t size, const Stream& stream) : keys(size, stream), positions(size, stream) {}
};

}  // namespace warpseed::suffix::cuda
