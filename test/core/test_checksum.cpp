#include "core/checksum.hpp"

#include <atomic>
#include <random>
#include <string_view>
#include <vector>

#include "catch.hpp"

namespace warpseed {

namespace {

/// CRC-32 bit by bit, as RFC 1952 defines it.
std::uint32_t slow_crc32(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const std::byte byte : bytes) {
    sum ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320U : 0U);
  }
  return ~sum;
}

}  // namespace

TEST_CASE("the checksum is the CRC-32 of gzip", "[core][checksum]") {
  const std::string_view digits = "123456789";
  CHECK(crc32(std::as_bytes(std::span(digits))) == 0xCBF43926U);  // the published check value
  CHECK(crc32({}) == 0);
}

TEST_CASE("the checksum equals one computed bit by bit", "[core][checksum]") {
  std::mt19937 rng(1);
  for (const std::size_t size : {1, 7, 8, 15, 16, 17, 63, 64, 65, 255, 1024, 4097}) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng() & 0xFF);
    CAPTURE(size);
    CHECK(crc32(bytes) == slow_crc32(bytes));
  }
}

TEST_CASE("the checksum by all threads is that by one", "[core][checksum]") {
  constexpr std::size_t block = checksum_block;
  std::mt19937_64 rng(2);
  std::vector<std::byte> bytes(50 * block + 1);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng() & 0xFF);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, block - 1, block, block + 1, 2 * block, bytes.size()}) {
    CAPTURE(size);
    std::atomic<std::size_t> visited = 0;
    const std::uint32_t sum = parallel_crc32(std::span(bytes).first(size),
                                             [&](std::size_t begin, std::size_t end) { visited += end - begin; });
    CHECK(sum == crc32(std::span(bytes).first(size)));
    CHECK(visited == size);
  }
}

}  // namespace warpseed
