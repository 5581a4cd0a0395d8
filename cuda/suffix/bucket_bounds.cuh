// Where buckets begin in a list that is sorted by them.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"

namespace warpseed::suffix::cuda {

/// Element i: the index of the first target that belongs in bucket first + i * step or a later one. [bounds]
///
/// A target's bucket is target >> bucket_bits; buckets do not decrease.
Buffer<std::uint64_t> bucket_bounds(View<std::uint32_t> targets, unsigned bucket_bits, std::uint64_t first,
                                    std::uint64_t step, std::uint64_t bounds, const Stream& stream);

}  // namespace warpseed::suffix::cuda
