// Sort order and prefix sums of 32-bit counts on a device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"

namespace warpseed::cuda {

/// The indices of values [count], the largest value first.
Buffer<std::uint32_t> largest_first(const Buffer<std::uint32_t>& values, const Stream& stream);

/// The exclusive sums of the counts, and their total: [counts + 1].
Buffer<std::uint64_t> exclusive_sums(View<std::uint32_t> counts, const Stream& stream);

}  // namespace warpseed::cuda
