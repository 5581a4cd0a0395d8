// Sorts strings on a device; their text is there already.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "sort/string_sort_core.hpp"

namespace warpseed::sort::cuda {

struct DeviceOrder {
  Buffer<std::uint32_t> order;  // [count] the strings, smallest first; equal ones in input order
  Buffer<std::uint32_t> heads;  // [count/32 + 1] bit j%32 of word j/32: order[j] differs from the string before it;
                                //   bits past the end are set
};

/// Sorts at most 2^32 - 1 strings of less than 2^32 - 1 symbols, with text and offsets on the device. Text: ByteView or
/// PackedView. Cost: sort/string_sort.hpp. Memory: string_sorting_bytes(count). Throws BackendError.
template <class Text>
DeviceOrder sort_strings(const Strings<Text>& strings, const Stream& stream, const StageDone& done = {});

/// Maximum memory of sort_strings() in addition to the strings, including its result.
std::uint64_t string_sorting_bytes(std::uint64_t count);

}  // namespace warpseed::sort::cuda
