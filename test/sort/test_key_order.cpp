// The order of keys against std::stable_sort.
#include "sort/key_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "catch.hpp"

namespace warpseed {

using namespace sort;

TEST_CASE("keys are put in order, equal ones as they stood", "[sort][backend]") {
  const std::uint64_t count = GENERATE(0, 1, 2, 1000, 300'000);
  const std::uint64_t different = GENERATE(1, 3, 1ULL << 20, ~0ULL);
  const int threads = GENERATE(1, 3);
  std::mt19937_64 rng(count + different);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = rng() % 16 == 0 ? ~0ULL : rng() % different;
  std::vector<std::uint32_t> wanted(count);
  std::iota(wanted.begin(), wanted.end(), 0U);
  std::stable_sort(wanted.begin(), wanted.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  for (const Backend& backend : available_backends(threads)) {
    CAPTURE(to_string(backend), count, different, threads);
    const bool as_wanted = key_order(keys, backend) == wanted;
    CHECK(as_wanted);
  }
}

}  // namespace warpseed
