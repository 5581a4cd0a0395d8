// Bit operations with the same results on host and device.
#pragma once

#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed {

/// Zero bits above the highest set bit; 64 for 0.
WS_HD inline unsigned leading_zeros(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__clzll(static_cast<long long>(value)));
#else
  return static_cast<unsigned>(std::countl_zero(value));
#endif
}

/// Zero bits below the lowest set bit; 64 for 0.
WS_HD inline unsigned trailing_zeros(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return value == 0 ? 64 : static_cast<unsigned>(__ffsll(static_cast<long long>(value))) - 1;
#else
  return static_cast<unsigned>(std::countr_zero(value));
#endif
}

/// Number of set bits.
WS_HD inline unsigned count_ones(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popc(value));
#else
  return static_cast<unsigned>(std::popcount(value));
#endif
}
WS_HD inline unsigned count_ones(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popcll(static_cast<long long>(value)));
#else
  return static_cast<unsigned>(std::popcount(value));
#endif
}

/// Reverses the order of the bits.
WS_HD inline std::uint32_t reversed_bits(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return __brev(value);
#else
  value = (value >> 1 & 0x55555555U) | (value & 0x55555555U) << 1;
  value = (value >> 2 & 0x33333333U) | (value & 0x33333333U) << 2;
  value = (value >> 4 & 0x0F0F0F0FU) | (value & 0x0F0F0F0FU) << 4;
  value = (value >> 8 & 0x00FF00FFU) | (value & 0x00FF00FFU) << 8;
  return value >> 16 | value << 16;
#endif
}

}  // namespace warpseed
