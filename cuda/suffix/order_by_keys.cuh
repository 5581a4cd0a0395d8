// Sorts the suffixes by their first symbols.
//
// One suffix in four of a genome is sorted by radix; the order of the others is induced. Suffixes that begin one symbol
// earlier, listed in the order of the sorted ones, need one stable pass by that symbol to be sorted, and so do those
// two and three symbols earlier. Merging the four lists reads their keys three times, and writes each suffix once. A
// radix sort of all suffixes would read and write each seven times.
#pragma once

#include "core/device_team.cuh"
#include "core/primitives.cuh"
#include "core/stage_done.hpp"
#include "sort/groups.cuh"
#include "suffix/key_layout.cuh"
#include "suffix/ranks.cuh"
#include "suffix/slots.hpp"

namespace warpseed::suffix::cuda {

/// A member's suffixes sorted by their first `depth` symbols; suffixes that are equal so far form a group and are on one
/// member.
struct KeyOrder {
  Buffer<std::uint32_t> suffixes;  // slots
  sort::cuda::Groups groups;       // a suffix that ends within `depth` symbols is a group of its own
  TeamRows rows;
  unsigned depth = 0;
};

/// Sorts the suffixes of `slots` by their keys. A stride above 1 requires that every position has a slot. Each member of
/// a team has the text, and gets the suffixes of a range of keys; every member must call it.
///
/// A suffix that ends within its key is smaller than one that goes on equally. Of two such suffixes the shorter one is
/// smaller; of equal length, the one whose separator comes first in the text.
/// Cost:   a radix sort of one suffix in `stride`, a radix pass and two merges of all.
/// Memory: at most key_order_bytes().
template <class Slots>
KeyOrder order_by_keys(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const TeamMember& member,
                       const StageDone& done);

/// Suffixes of a member, at most a little more unless many suffixes have equal keys.
std::uint64_t team_share(std::uint64_t count, unsigned team_size);

/// Peak memory of a device while `count` suffixes of a text with `segments` segments are sorted.
std::uint64_t key_order_bytes(std::uint64_t count, std::uint64_t segments, const KeyLayout& layout, unsigned team_size);

}  // namespace warpseed::suffix::cuda
