#include "core/checksum.hpp"

#include <isa-l/crc.h>

namespace warpseed {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace warpseed
