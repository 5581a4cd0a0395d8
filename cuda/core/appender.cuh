// A list in device memory to which threads append in any order.
#pragma once

#include <cstdint>

#include "core/lanes.cuh"

namespace warpseed::cuda {

/// Values that do not fit are counted nevertheless, so that the caller can allocate more and start again.
template <class T>
struct Appender {
  T* values;
  std::uint32_t* count;
  std::uint32_t room;

  __device__ void add(const T& value) const {
    const std::uint32_t at = atomicAdd(count, 1U);
    if (at < room) values[at] = value;
  }

  /// The same where there may be more values than a count can hold: they are no longer counted when there is no room.
  __device__ void add_while_room(const T& value) const {
    if (*static_cast<volatile std::uint32_t*>(count) <= room) add(value);
  }

  /// Called by all lanes of a warp, each of which may have a value to add: one atomic operation per warp.
  __device__ void add_by_warp(bool wanted, const T& value) const {
    const unsigned lanes = __ballot_sync(all_lanes, wanted);
    std::uint32_t first = 0;
    if (lane_id() == 0 && lanes != 0) first = atomicAdd(count, static_cast<std::uint32_t>(__popc(lanes)));
    const std::uint32_t at =
        __shfl_sync(all_lanes, first, 0) + static_cast<std::uint32_t>(__popc(lanes & lower_lane_mask()));
    if (wanted && at < room) values[at] = value;
  }
};

}  // namespace warpseed::cuda
