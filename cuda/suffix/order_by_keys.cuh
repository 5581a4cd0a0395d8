// Sorts the suffixes by their first symbols.
//
// One suffix in four of a genome is sorted by radix; the order of the others is induced. Suffixes that begin one symbol
// earlier, listed in the order of the sorted ones, need one stable pass by that symbol to be sorted, and so do those
// two and three symbols earlier. Merging the four lists reads and writes each suffix twice. A radix sort of all
// suffixes would read and write each eight times.
#pragma once

#include "core/primitives.cuh"
#include "core/stage_done.hpp"
#include "sort/groups.cuh"
#include "suffix/key_layout.cuh"
#include "suffix/slots.hpp"

namespace warpseed::suffix::cuda {

/// Suffixes sorted by their first `depth` symbols; suffixes that are equal so far form a group.
struct KeyOrder {
  Buffer<std::uint32_t> suffixes;  // [count] slots
  sort::cuda::Groups groups;       // a suffix that ends within `depth` symbols is a group of its own
  unsigned depth = 0;
};

/// Sorts the suffixes of `slots` by their keys. A stride above 1 requires that every position has a slot.
///
/// A suffix that ends within its key is smaller than one that goes on equally. Of two such suffixes the shorter one is
/// smaller; of equal length, the one whose separator comes first in the text.
/// Cost:   a radix sort of one suffix in `stride`, a radix pass and two merges of all.
/// Memory: at most key_order_bytes().
template <class Slots>
KeyOrder order_by_keys(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const Stream& stream,
                       const StageDone& done);

/// Peak device memory of sorting `count` suffixes of a text with `segments` segments.
std::uint64_t key_order_bytes(std::uint64_t count, std::uint64_t segments, const KeyLayout& layout);

}  // namespace warpseed::suffix::cuda
