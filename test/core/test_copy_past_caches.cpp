// Copies past the caches against what was copied.
#include "core/copy_past_caches.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("copies past the caches have the bytes, and leave those after them", "[core]") {
  const unsigned seed = 64;
  std::mt19937 rng(seed);
  std::vector<char> from(70000);
  for (char& byte : from) byte = static_cast<char>(rng());
  for (const std::size_t bytes : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 1000U, 65280U}) {
    const std::size_t begin = rng() % 100;
    CAPTURE(seed, bytes, begin);
    alignas(16) static char to[70000];
    std::ranges::fill(to, 'x');
    copy_past_caches(to, from.data() + begin, bytes);
    const auto copied = from.begin() + static_cast<std::ptrdiff_t>(begin);
    const bool is_same = std::equal(to, to + bytes, copied);
    CHECK(is_same);
    const bool is_left = std::all_of(to + bytes, to + sizeof to, [](char byte) { return byte == 'x'; });
    CHECK(is_left);
  }
}
