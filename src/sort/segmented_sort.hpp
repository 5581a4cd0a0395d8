// Sorts many segments of keys, each by itself, with or without values that go along.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"

namespace warpseed::sort {

/// Sorts the keys of every segment in ascending order; values[i] goes where keys[i] goes.
///
/// Stable:  of equal keys in a segment the one that stood first stays first. So there is one right answer, and every
///          backend and thread count gives it.
/// offsets: [segments + 1], ascending; segment i is keys[offsets[i], offsets[i + 1]), at most 2^32 - 1 keys long. Empty
///          segments are fine, millions of them too, and so is any mixture of lengths. Keys before offsets.front() and
///          from offsets.back() on stay as they are. No offsets at all: nothing to do.
/// keys:    [offsets.back() or more], sorted in place.
/// values:  [keys.size()], std::uint32_t or std::uint64_t.
/// Source:  Hou, Liu, Wang and Feng, "Fast segmented sort on GPUs", ICS 2017: segments are sorted by what suits their
///          length. What suits which length is said in cuda/sort/segmented_sort.cuh; the CPU path cuts long
///          segments into parts by a digit of the key and sorts short ones by comparisons.
/// Cost:    O(n log(longest segment)), spread over backend.threads on the CPU.
/// Memory:  CPU: as much as keys and values again, if a segment has more than 2^16 keys; else little. CUDA: twice keys
///          and values, 1 byte a key more, the offsets, and a third and perhaps a fourth copy of keys and values if a
///          segment has more than 2^15 keys (cuda/sort/segmented_sort.cuh says when).
/// Throws std::invalid_argument if sizes or offsets do not fit together, BackendError if the device fails.
template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend);

/// The same for keys alone.
void segmented_sort(std::span<std::uint32_t> keys, std::span<const std::uint64_t> offsets, const Backend& backend);

extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                                    const Backend&);
extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                                    const Backend&);

}  // namespace warpseed::sort
