#include "core/deflate.hpp"

#include <random>

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("inflate restores deflated data, and rejects other data", "[core][deflate]") {
  std::mt19937 rng(61);
  const std::size_t size = GENERATE(100U, 70000U, 3000000U);
  const unsigned letters = GENERATE(1U, 4U, 40U);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = std::byte(rng() % letters);
  const std::vector<std::byte> packed = deflated(bytes);
  REQUIRE_FALSE(packed.empty());
  CHECK(packed.size() < size);
  std::vector<std::byte> got(size), longer(size + 1), shorter(size - 1);
  CHECK(inflate(packed, got));
  CHECK(got == bytes);
  CHECK_FALSE(inflate(packed, longer));
  CHECK_FALSE(inflate(packed, shorter));
  CHECK_FALSE(inflate(std::span(packed).first(packed.size() / 2), got));
}

TEST_CASE("incompressible data is not deflated", "[core][deflate]") {
  std::mt19937 rng(62);
  std::vector<std::byte> bytes(GENERATE(0U, 1U, 5000U, 300000U));
  for (std::byte& byte : bytes) byte = std::byte(rng());
  CHECK(deflated(bytes).empty());
}
