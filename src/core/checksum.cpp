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
  constexpr std::size_t block = checksum_block, blocks_each = 16;
  constexpr std::uint32_t shift_by_block = shift_by(block);
  const std::size_t blocks = bytes.size() / block;  // whole ones
  std::vector<std::uint32_t> checksums(blocks);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, blocks_each), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      checksums[i] = crc32(bytes.subspan(i * block, block));
      visit(i * block, (i + 1) * block);
    }
  });
  std::uint32_t all = 0;
  for (const std::uint32_t checksum : checksums) all = product(shift_by_block, all) ^ checksum;
  all = crc32(bytes.subspan(blocks * block), all);
  visit(blocks * block, bytes.size());
  return all;
}

}  // namespace warpseed
