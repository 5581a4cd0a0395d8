// Counts of bits, the same for a CPU and a device.
#pragma once

#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed {

/// Zeros above the highest bit that is set; 64 for 0.
WS_HD inline unsigned leading_zeros(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__clzll(static_cast<long long>(value)));
#else
  return static_cast<unsigned>(std::countl_zero(value));
#endif
}

/// Zeros below the lowest bit that is set; 64 for 0.
WS_HD inline unsigned trailing_zeros(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return value == 0 ? 64 : static_cast<unsigned>(__ffsll(static_cast<long long>(value))) - 1;
#else
  return static_cast<unsigned>(std::countr_zero(value));
#endif
}

/// Bits that are set.
WS_HD inline unsigned count_ones(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popcll(static_cast<long long>(value)));
#else
  return static_cast<unsigned>(std::popcount(value));
#endif
}

}  // namespace warpseed
