// Operations of all lanes of a warp.
#pragma once

#include <cstdint>

#include "core/lanes.cuh"

namespace warpseed::cuda {

/// Calls work(i) for every 32nd i below `count`, starting with the lane's number; synchronizes the lanes at the end.
template <class Work>
__device__ void for_lanes(std::uint32_t count, Work work) {
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) work(i);
  __syncwarp();
}

/// Prefetches `address` into L2.
__device__ inline void prefetch_l2(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// The largest value of all lanes.
__device__ inline std::uint64_t warp_max(std::uint64_t value) {
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) {
    const std::uint64_t other = __shfl_xor_sync(all_lanes, value, static_cast<int>(step));
    if (other > value) value = other;
  }
  return value;
}

/// The mask of lanes with a `begin` at most `span` before this lane's `position`. Takes only the lower 32 bits of genome
/// positions, so the mask may include more lanes.
__device__ inline unsigned lanes_before(std::uint32_t begin, std::uint32_t span, std::uint32_t position) {
  unsigned found = 0;
#pragma unroll
  for (unsigned i = 0; i < warp_threads; ++i) {
    if (position - __shfl_sync(all_lanes, begin, static_cast<int>(i)) <= span) found |= 1U << i;
  }
  return found;
}

/// Calls work(i) for each i below `count`, in all lanes of the warp that takes it. Warps take the next i from `next`.
template <class Work>
__device__ void for_each_job(std::uint64_t count, std::uint32_t* next, Work work) {
  for (;;) {
    std::uint32_t taken = 0;
    if (lane_id() == 0) taken = atomicAdd(next, 1U);
    taken = __shfl_sync(all_lanes, taken, 0);
    if (taken >= count) return;
    work(taken);
    __syncwarp();
  }
}

}  // namespace warpseed::cuda
