#include <algorithm>
#include <string>

#include "catch.hpp"
#include "text/synthetic.hpp"

using namespace warpseed;

namespace {

std::string made(const SyntheticGenome& genome, std::uint64_t begin, std::uint64_t count, int threads) {
  std::string letters(count, '?');
  synthetic_letters(genome, begin, letters, threads);
  return letters;
}

}  // namespace

TEST_CASE("synthetic letters do not depend on threads or on the cut", "[text][synthetic]") {
  const SyntheticGenome genome{7, 300'000};
  const std::string whole = made(genome, 0, genome.length, 1);
  CHECK(made(genome, 0, genome.length, 2) == whole);
  const std::uint64_t size = GENERATE(1000, 131'071, 131'072, 131'073, 262'144);
  CAPTURE(size);
  std::string joined;
  for (std::uint64_t at = 0; at < genome.length; at += size) {
    joined += made(genome, at, std::min(size, genome.length - at), 2);
  }
  CHECK(joined == whole);
}

TEST_CASE("a longer synthetic genome begins with the shorter one", "[text][synthetic]") {
  CHECK(made({7, 500'000}, 0, 1000, 1) == made({7, 1000}, 0, 1000, 1));
  CHECK(made({8, 1000}, 0, 1000, 1) != made({7, 1000}, 0, 1000, 1));
}

TEST_CASE("synthetic letters are A, C, G, T in like shares, and some N", "[text][synthetic]") {
  const std::string letters = made({1, 4'000'000}, 0, 4'000'000, 2);
  for (const char base : {'A', 'C', 'G', 'T'}) {
    const auto share = static_cast<double>(std::count(letters.begin(), letters.end(), base)) / 4e6;
    CHECK(share > 0.2);
    CHECK(share < 0.3);
  }
  const auto unknown = std::count(letters.begin(), letters.end(), 'N');
  CHECK(unknown > 0);
  CHECK(unknown < 40'000);
  CHECK(letters.find_first_not_of("ACGTN") == std::string::npos);
}

TEST_CASE("synthetic letters past the end are refused", "[text][synthetic]") {
  std::string letters(10, '?');
  CHECK_THROWS_AS(synthetic_letters({1, 100}, 91, letters, 1), std::invalid_argument);
  CHECK_NOTHROW(synthetic_letters({1, 0}, 0, {}, 1));
}
