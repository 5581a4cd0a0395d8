// Segmented sort of keys, and sort of strings.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "warpseed/context.hpp"

namespace warpseed {

/// Sorts the keys of every segment in ascending order; values[i] moves with keys[i], and equal keys of a segment keep
/// their order.
///
/// offsets: [segments + 1], ascending; segment i is keys[offsets[i], offsets[i + 1]), at most 2^32 - 1 keys long. Keys
///          outside all segments do not change.
/// keys:    sorted in place; values: [keys.size()], std::uint32_t or std::uint64_t.
/// Source:  on a GPU the algorithm depends on the segment's length, after Hou, Liu, Wang and Feng, "Fast segmented sort
///          on GPUs", ICS 2017.
/// Memory:  on the CPU a copy of keys and values if a segment has more than 2^16 keys; on a GPU two copies and 1 byte
///          per key, up to four copies if a segment has more than 2^15 keys.
/// Throws std::invalid_argument if sizes or offsets are inconsistent, BackendError if the device fails.
void segmented_sort(std::span<std::uint32_t> keys, std::span<const std::uint64_t> offsets,
                    const Context& context = Context());

template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Context& context = Context());

/// The numbers of the strings in ascending order: [strings]; equal strings in the order given. Bytes compare as
/// unsigned numbers, and a proper prefix comes first.
/// Source: on a GPU Deshpande and Narayanan, "Can GPUs sort strings efficiently?", HiPC 2013.
/// Memory: a copy of the strings, and 21 bytes per string on the CPU or 64 on a GPU.
/// Throws std::invalid_argument for 2^32 - 1 strings or more, or a string that long.
std::vector<std::uint32_t> string_order(const std::vector<std::string_view>& strings,
                                        const Context& context = Context());

extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                                    const Context&);
extern template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                                    const Context&);

}  // namespace warpseed
