// Runs of equal pairs of codes, eight at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/bits.hpp"
#include "core/host_device.hpp"

namespace warpseed::align {

/// The number of leading pairs, at most `most`, that are equal and known.
WS_HD inline std::uint32_t leading_equal(const std::uint8_t* query, const std::uint8_t* genome, std::uint32_t most) {
  constexpr std::uint64_t unknown = 0x0404'0404'0404'0404;  // code 4 in every byte
  std::uint32_t i = 0;
  for (; i + 8 <= most; i += 8) {
    std::uint64_t a, b;
    std::memcpy(&a, query + i, 8), std::memcpy(&b, genome + i, 8);
    std::uint64_t stop = (a ^ b) | (a & unknown);
    if constexpr (std::endian::native == std::endian::big) stop = __builtin_bswap64(stop);
    if (stop != 0) return i + trailing_zeros(stop) / 8;
  }
  while (i < most && query[i] == genome[i] && query[i] < 4) ++i;
  return i;
}

}  // namespace warpseed::align
