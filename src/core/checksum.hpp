// CRC-32 (the polynomial of gzip) at memory speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace warpseed {

/// `before`: the checksum of the preceding bytes.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

constexpr std::size_t checksum_block = std::size_t{256} << 10;  // stays in a core's cache

/// The same by all threads, for bytes of any number. visit(begin, end) is called for each block of checksum_block bytes,
/// and for the rest, by the thread that has just read it, in any order.
std::uint32_t parallel_crc32(
    std::span<const std::byte> bytes,
    const std::function<void(std::size_t begin, std::size_t end)>& visit = [](std::size_t, std::size_t) {});

}  // namespace warpseed
