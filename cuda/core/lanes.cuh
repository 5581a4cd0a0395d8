// Lane numbers and lane masks of a warp.
#pragma once

#include <cstdint>

#include "core/module_namespaces.hpp"

namespace warpseed::cuda {

constexpr unsigned warp_threads = 32;
constexpr unsigned all_lanes = ~0U;

__device__ inline unsigned lane_id() {
  return threadIdx.x % warp_threads;
}

/// The mask of the lanes below this one.
__device__ inline unsigned lower_lane_mask() {
  return (1U << lane_id()) - 1;
}

/// The mask of the `count` lowest lanes: at least one, at most all.
__device__ inline unsigned first_lane_mask(std::uint32_t count) {
  return all_lanes >> (warp_threads - count);
}

/// Removes the lowest lane from a mask, which must not be empty, and returns its number.
__device__ inline unsigned pop_lowest_lane(unsigned& lanes) {
  const auto lane = static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
  lanes &= lanes - 1;
  return lane;
}

}  // namespace warpseed::cuda
