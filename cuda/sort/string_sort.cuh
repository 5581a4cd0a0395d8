// Strings into order on a device, their text being there.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "sort/string_sort_core.hpp"

namespace warpseed::sort::cuda {

struct DeviceOrder {
  Buffer<std::uint32_t> order;  // [count] the strings, smallest first; equal ones as they came
  Buffer<std::uint32_t> heads;  // [count/32 + 1] bit j%32 of word j/32: order[j] differs from the string before it;
                                //   bits past the end are set
};

/// Sorts strings of less than 2^32 - 1 symbols, fewer than 2^32 of them, whose text and offsets are on the device.
/// Text: ByteView or PackedView. Cost: sort/string_sort.hpp. Memory: string_sorting_bytes(count). Throws BackendError.
template <class Text>
DeviceOrder sort_strings(const Strings<Text>& strings, const Stream& stream, const StageDone& done = {});

/// What sort_strings() takes at most beside the strings, its result included.
std::uint64_t string_sorting_bytes(std::uint64_t count);

}  // namespace warpseed::sort::cuda
