// A list in device memory that threads add to in any order.
#pragma once

#include <cstdint>

namespace warpseed::cuda {

/// What does not fit is counted all the same, so that the caller can make room and begin again.
template <class T>
struct Appender {
  T* values;
  std::uint32_t* count;
  std::uint32_t room;

  __device__ void add(const T& value) const {
    const std::uint32_t at = atomicAdd(count, 1U);
    if (at < room) values[at] = value;
  }
};

}  // namespace warpseed::cuda
