// The suffix array by prefix doubling on the device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"
#include "suffix/ranks.cuh"

namespace warpseed::suffix::cuda {

/// A member's rows of a suffix array: the suffixes that begin with its range of keys.
struct SortedPart {
  Buffer<std::uint32_t> suffixes;
  TeamRows rows;
};

/// The text positions of the suffixes in the order of suffix/suffix_array.hpp. Each member of a team has the text, and
/// gets a part of the rows; every member must call it.
///
/// Sorts by the first symbols of a key (order_by_keys.cuh), then doubles (refine.cuh).
///
/// Cost:   a radix sort of every fourth suffix (of all, in a text of bytes), three merges, one inverse, then a round
///         for every doubling of the longest repeat's length, in which only tied suffixes take part.
/// Memory: sorting_bytes(); in the rounds 8 bytes per symbol and at most 42 per tied suffix.
/// memory_bytes: limit of the job on each device, including the text; 0: all free memory.
/// Throws BackendError if memory does not suffice; TooManyTies if it does not suffice for the rounds.
SortedPart sort_suffixes(const DeviceText& text, std::uint64_t memory_bytes, const TeamMember& member,
                         const StageDone& done = {});

/// Minimum memory of each device for sorting a text, in addition to the text itself.
/// segments: of a genome; the suffixes that end early in each are sorted separately. 1 for bytes.
std::uint64_t sorting_bytes(const DeviceText& text, std::uint64_t segments, unsigned team_size);

}  // namespace warpseed::suffix::cuda
