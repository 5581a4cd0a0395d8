// The arithmetic of CRC-32, for host and device.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::checksum {

// Polynomials over GF(2) of degree below 32, modulo the CRC's; the highest bit is the constant term.
constexpr std::uint32_t crc_polynomial = 0xEDB88320U;
constexpr std::uint32_t one = 0x80000000U;

WS_HD constexpr std::uint32_t times_x(std::uint32_t a) {
  return a >> 1 ^ ((a & 1) != 0 ? crc_polynomial : 0U);
}

WS_HD constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (; a != 0; a <<= 1, b = times_x(b)) {
    if ((a & one) != 0) sum ^= b;
  }
  return sum;
}

/// What a checksum is multiplied by when so many bytes follow.
WS_HD constexpr std::uint32_t shift_by(std::uint64_t bytes) {
  std::uint32_t shift = one;
  for (std::uint32_t power = one >> 8; bytes != 0; bytes >>= 1, power = product(power, power)) {
    if ((bytes & 1) != 0) shift = product(shift, power);
  }
  return shift;
}

/// The checksum's change by one byte, by the lowest eight bits before it.
WS_HD constexpr std::uint32_t byte_step(std::uint32_t lowest) {
  for (int bit = 0; bit < 8; ++bit) lowest = times_x(lowest);
  return lowest;
}

}  // namespace warpseed::checksum
