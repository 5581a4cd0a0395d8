// CRC-32 (the polynomial of gzip) at memory speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpseed {

std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace warpseed
