#include "core/checksum.hpp"

#include <isa-l/crc.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <vector>

namespace warpseed {

namespace {

// Polynomials over GF(2) of degree below 32, modulo the CRC's; the highest bit is the constant term.
constexpr std::uint32_t crc_polynomial = 0xEDB88320U;
constexpr std::uint32_t one = 0x80000000U;
constexpr std::uint32_t x_to_8 = one >> 8;

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (; a != 0; a <<= 1) {
    if ((a & one) != 0) sum ^= b;
    b = b >> 1 ^ ((b & 1) != 0 ? crc_polynomial : 0U);  // times x
  }
  return sum;
}

/// What a checksum is multiplied by when so many bytes follow.
constexpr std::uint32_t shift_by(std::uint64_t bytes) {
  std::uint32_t shift = one;
  for (std::uint32_t power = x_to_8; bytes != 0; bytes >>= 1, power = product(power, power)) {
    if ((bytes & 1) != 0) shift = product(shift, power);
  }
  return shift;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::uint32_t parallel_crc32(std::span<const std::byte> bytes,
                             const std::function<void(std::size_t begin, std::size_t end)>& visit) {
  constexpr std::size_t part = 16 * checksum_block;  // of a thread
  constexpr std::uint32_t shift_by_part = shift_by(part);
  const std::size_t parts = bytes.size() / part;  // whole ones
  const auto checksum_of = [&](std::size_t begin, std::size_t end, std::uint32_t checksum) {
    for (; begin < end; begin += checksum_block) {
      const std::size_t next = std::min(begin + checksum_block, end);
      checksum = crc32(bytes.subspan(begin, next - begin), checksum);
      visit(begin, next);
    }
    return checksum;
  };
  std::vector<std::uint32_t> checksums(parts);
  tbb::parallel_for(std::size_t{0}, parts,
                    [&](std::size_t i) { checksums[i] = checksum_of(i * part, (i + 1) * part, 0); });
  std::uint32_t all = 0;
  for (const std::uint32_t checksum : checksums) all = product(shift_by_part, all) ^ checksum;
  return checksum_of(parts * part, bytes.size(), all);
}

}  // namespace warpseed
