// Encodes eight characters at once; private to the module.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace warpseed::text {

constexpr std::uint64_t every_byte = 0x0101010101010101ULL;

/// Eight characters in upper case, the first in the lowest byte.
inline std::uint64_t load_eight(const char* bases) {
  std::uint64_t bytes;
  std::memcpy(&bytes, bases, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes & every_byte * 0xDF;
}

/// The same if fewer than eight characters may remain; pads with zero bytes.
inline std::uint64_t load_some(const char* at, const char* end) {
  if (end - at >= 8) return load_eight(at);
  char bases[8] = {};
  std::memcpy(bases, at, static_cast<std::size_t>(end - at));
  return load_eight(bases);
}

/// The number of zero bytes at the low end: 0..8.
inline unsigned zero_bytes(std::uint64_t bytes) {
  return static_cast<unsigned>(std::countr_zero(bytes)) / 8;
}

struct EightCodes {
  std::uint64_t codes = 0;  // 16 bits, two per base, the first base highest
  unsigned count = 0;       // leading characters that are A, C, G or T; `codes` is undefined after them
};

/// Bits 1 and 2 distinguish A, C, T and G. Decoding the result shows whether a character is one of them.
inline EightCodes encode_eight(std::uint64_t bytes) {
  const std::uint64_t high = bytes >> 2 & every_byte;
  const std::uint64_t low = (bytes >> 1 & every_byte) ^ high;  // A=00 C=01 G=10 T=11
  const std::uint64_t made =
      every_byte * 'A' + low * ('C' - 'A') + high * ('G' - 'A') + (low & high) * ('T' - 'C' - 'G' + 'A');
  std::uint64_t pairs = high << 1 | low;                                      // two bits in each byte
  pairs = (pairs << 2 | pairs >> 8) & 0x000F000F000F000FULL;                  // four bits in each 16
  constexpr std::uint64_t gather = 1ULL << 60 | 1ULL << 40 | 1ULL << 20 | 1;  // moves field i from 16i to 60-4i
  return {pairs * gather >> 48, zero_bytes(bytes ^ made)};
}

/// The number of leading characters that are N.
inline unsigned count_n(std::uint64_t bytes) {
  return zero_bytes(bytes ^ every_byte * 'N');
}

}  // namespace warpseed::text
