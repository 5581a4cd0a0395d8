#include "core/checksum.hpp"

#include <isa-l/crc.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "core/checksum_core.hpp"

namespace warpseed {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::uint32_t parallel_crc32(std::span<const std::byte> bytes,
                             const std::function<void(std::size_t begin, std::size_t end)>& visit) {
  constexpr std::size_t part = 16 * checksum_block;  // of a thread
  constexpr std::uint32_t shift_by_part = checksum::shift_by(part);
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
  for (const std::uint32_t checksum : checksums) all = checksum::product(shift_by_part, all) ^ checksum;
  return checksum_of(parts * part, bytes.size(), all);
}

}  // namespace warpseed
