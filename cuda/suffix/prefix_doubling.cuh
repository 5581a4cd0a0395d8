// The suffix array by prefix doubling, left on the device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// The text positions of the suffixes in the order of suffix/suffix_array.hpp: [text.size()].
///
/// Sorts by the first symbols of a key (order_by_keys.cuh), then doubles (refine.cuh).
///
/// Cost:   a radix sort of every fourth suffix (of all, in a text of bytes), three merges, one inverse, then a round for
///         every doubling of the longest repeat's length, in which only what is tied takes part.
/// Memory: sorting_bytes() and in the rounds 8 bytes a symbol and at most 42 for each suffix that is tied.
/// memory_bytes: what the job may take altogether, the text included; 0 for all that is free.
/// Throws BackendError if that is not free; TooManyTies when it is so before the rounds.
Buffer<std::uint32_t> sort_suffixes(const DeviceText& text, std::uint64_t memory_bytes, const Stream& stream,
                                    const StageDone& done = {});

/// Device memory that sorting a text takes at the least, beside the text's own.
/// segments: of a genome; each has some suffixes that end early and are sorted apart. 1 for bytes.
std::uint64_t sorting_bytes(const DeviceText& text, std::uint64_t segments);

}  // namespace warpseed::suffix::cuda
