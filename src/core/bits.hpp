// Counting bits, the same on host and device.
#pragma once

#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed {

/// 64 for 0.
WS_HD inline unsigned leading_zeros(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__clzll(static_cast<long long>(bits)));
#else
  return static_cast<unsigned>(std::countl_zero(bits));
#endif
}

/// 32 for 0.
WS_HD inline unsigned trailing_zeros(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return bits == 0 ? 32 : static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
#else
  return static_cast<unsigned>(std::countr_zero(bits));
#endif
}

WS_HD inline unsigned count_ones(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popcll(static_cast<long long>(bits)));
#else
  return static_cast<unsigned>(std::popcount(bits));
#endif
}

}  // namespace warpseed
