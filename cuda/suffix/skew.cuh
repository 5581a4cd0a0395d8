// The skew sorters: two thirds of the suffixes are sorted, the order of the rest is induced, and both are merged.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// The text positions of the suffixes in the order of suffix/suffix_array.hpp: [text.size()].
///
/// The suffixes at positions of 1 and 2 modulo 3 are named by their first symbols, and the text of their names is
/// sorted recursively. A name represents as many symbols as a key holds instead of three, which makes the recursion
/// shallow.
/// Source: Kaerkkaeinen, Sanders and Burkhardt, "Linear work suffix array construction", J. ACM 2006; Deo and Keely,
///         "Parallel suffix array and least common prefix for the GPU", PPoPP 2013.
/// Cost:   O(n): a radix sort of the names, of the rest, and a merge; two thirds of that per level of recursion.
/// Memory: 21 bytes per symbol and a third as much again for each name that is not unique.
Buffer<std::uint32_t> sort_by_skew(const DeviceText& text, const Stream& stream, const StageDone& done);

/// The same, but the two thirds are sorted by prefix doubling (refine.cuh).
/// Source: Wang, Baxter and Owens, "Fast parallel skew and prefix-doubling suffix array construction on the GPU",
///         Concurrency and Computation 2016.
/// memory_bytes: limit of the job, including the text; 0: all free memory.
Buffer<std::uint32_t> sort_by_skew_prefix_doubling(const DeviceText& text, std::uint64_t memory_bytes,
                                                   const Stream& stream, const StageDone& done);

}  // namespace warpseed::suffix::cuda
