// Copies past the caches against what was copied.
#include "core/copy_past_caches.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace warpseed;

TEST_CASE("copies past the caches have the bytes, and leave those around them", "[core]") {
  const unsigned seed = 64;
  std::mt19937 rng(seed);
  std::vector<char> from(70000);
  for (char& byte : from) byte = static_cast<char>(rng());
  for (const std::size_t bytes : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 1000U, 65280U}) {
    for (std::ptrdiff_t to_begin = 0; to_begin < 17; ++to_begin) {
      const auto begin = static_cast<std::ptrdiff_t>(rng() % 100);
      CAPTURE(seed, bytes, begin, to_begin);
      std::vector<char> to(from.size(), 'x'), wanted = to;
      std::copy_n(from.begin() + begin, bytes, wanted.begin() + to_begin);
      copy_past_caches(to.data() + to_begin, from.data() + begin, bytes);
      const bool as_wanted = to == wanted;
      CHECK(as_wanted);
    }
  }
}
