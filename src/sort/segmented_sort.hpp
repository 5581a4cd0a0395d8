// Sorts many segments of keys independently, with or without values.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "warpseed/device_arrays.hpp"

namespace warpseed::sort {

/// Sorts the keys of every segment in ascending order; values[i] moves with keys[i].
///
/// Stable:  equal keys of a segment keep their input order. The result is therefore unique, and every backend and
///          thread count gives it.
/// offsets: [segments + 1], ascending; segment i is keys[offsets[i], offsets[i + 1]), at most 2^32 - 1 keys long. Empty
///          segments (even millions) and any mixture of lengths are allowed. Keys before offsets.front() and from
///          offsets.back() on do not change. Without offsets there is nothing to do.
/// keys:    [offsets.back() or more], sorted in place.
/// values:  [keys.size()], std::uint32_t or std::uint64_t.
/// Source:  Hou, Liu, Wang and Feng, "Fast segmented sort on GPUs", ICS 2017: the algorithm depends on the segment's
///          length. cuda/sort/segmented_sort_tuning.hpp lists the lengths; the CPU path partitions long segments by a
///          digit of the key and sorts short ones by comparisons.
/// Cost:    O(n log(longest segment)), spread over backend.threads on the CPU.
/// Memory:  CPU: a copy of keys and values if a segment has more than 2^16 keys; else little. CUDA: twice keys and
///          values, 1 byte more per key, the offsets, and a third and perhaps a fourth copy of keys and values if a
///          segment has more than 2^15 keys (see cuda/sort/segmented_sort.cuh).
/// Throws std::invalid_argument if sizes or offsets are inconsistent, BackendError if the device fails.
template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend);

/// The same for keys alone.
void segmented_sort(std::span<std::uint32_t> keys, std::span<const std::uint64_t> offsets, const Backend& backend);

/// The same for arrays on the device of a CUDA backend, in place. Memory: another copy of keys and values.
template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Backend& backend);
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<const std::uint64_t> offsets, const Backend& backend);

extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                                    const Backend&);
extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                                    const Backend&);
extern template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>,
                                    DeviceSpan<const std::uint64_t>, const Backend&);
extern template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>,
                                    DeviceSpan<const std::uint64_t>, const Backend&);

}  // namespace warpseed::sort
