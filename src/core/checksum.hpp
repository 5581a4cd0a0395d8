// CRC-32 (the polynomial of gzip) at memory speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpseed {

/// `before`: the checksum of the preceding bytes.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The same by all threads, for bytes of any number.
std::uint32_t parallel_crc32(std::span<const std::byte> bytes);

}  // namespace warpseed
