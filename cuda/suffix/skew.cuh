// The skew sorters: two thirds of the suffixes are sorted, the rest follow from them and are merged in.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// The text positions of the suffixes in the order of suffix/suffix_array.hpp: [text.size()].
///
/// The suffixes at positions of 1 and 2 modulo 3 are named by their first symbols, and the text of their names is sorted
/// by recursion. A name stands for as many symbols as a key holds, not for three, which makes the recursion shallow.
/// Source: Kaerkkaeinen, Sanders and Burkhardt, "Linear work suffix array construction", J. ACM 2006; Deo and Keely,
///         "Parallel suffix array and least common prefix for the GPU", PPoPP 2013.
/// Cost:   O(n): a radix sort of the names, of the rest, and a merge; two thirds of that a level deeper, and so on.
/// Memory: 21 bytes a symbol and a third as much again for each name that is not unique.
Buffer<std::uint32_t> sort_by_skew(const DeviceText& text, const Stream& stream, const StageDone& done);

/// The same, but the two thirds are sorted by prefix doubling (refine.cuh).
/// Source: Wang, Baxter and Owens, "Fast parallel skew and prefix-doubling suffix array construction on the GPU",
///         Concurrency and Computation 2016.
/// memory_bytes: what the job may take altogether, the text included; 0: all that is free.
Buffer<std::uint32_t> sort_by_skew_prefix_doubling(const DeviceText& text, std::uint64_t memory_bytes,
                                                   const Stream& stream, const StageDone& done);

}  // namespace warpseed::suffix::cuda
