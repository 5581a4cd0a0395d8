// The suffixes in the order of their first symbols.
//
// One suffix in four of a genome is sorted by radix; the others follow from it. Suffixes that begin one symbol
// earlier, listed in the order of the sorted ones, need one stable pass by that symbol to be in order themselves,
// and so do those two and three symbols earlier; merging the four lists reads and writes each suffix twice. A radix
// sort of all suffixes would read and write each eight times.
#pragma once

#include "core/primitives.cuh"
#include "core/stage_done.hpp"
#include "sort/groups.cuh"
#include "suffix/key_layout.cuh"
#include "suffix/slots.cuh"

namespace warpseed::suffix::cuda {

/// Suffixes in the order of their first `depth` symbols; those equal so far are a group.
struct KeyOrder {
  Buffer<std::uint32_t> suffixes;  // [count] slots
  sort::cuda::Groups groups;       // a suffix that ends within `depth` symbols is a group of its own
  unsigned depth = 0;
};

/// Sorts the suffixes of `slots` by their keys. A stride above 1 wants every position to have a slot.
///
/// A suffix that ends within its key is smaller than one that goes on equally, of two such the shorter one is the
/// smaller, of one length the one whose separator comes first in the text.
/// Cost:   a radix sort of one suffix in `stride`, a radix pass and two merges of all.
/// Memory: at most key_order_bytes().
template <class Slots>
KeyOrder order_by_keys(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const Stream& stream,
                       const StageDone& done);

/// Device memory that sorting `count` suffixes of a text of so many segments takes at its peak.
std::uint64_t key_order_bytes(std::uint64_t count, std::uint64_t segments, const KeyLayout& layout);

}  // namespace warpseed::suffix::cuda
