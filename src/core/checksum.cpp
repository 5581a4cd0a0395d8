#include "core/checksum.hpp"

#include <isa-l/crc.h>

namespace warpseed {

std::uint32_t crc32(std::span<const std::byte> bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace warpseed
