// Sorted keys against std::stable_sort.
#include "records/key_sort.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "catch.hpp"

using namespace warpseed::records;

TEST_CASE("keys are sorted as by std::stable_sort", "[records][key_sort]") {
  const std::size_t count = GENERATE(0U, 1U, 2U, 33U, 3000U);
  const std::uint64_t different =
      GENERATE(1ULL, 5ULL, 4095ULL, 4096ULL, 4097ULL, 1ULL << 24, 1ULL << 40, 1ULL << 52, 1ULL << 53, ~0ULL);
  const std::uint64_t smallest = GENERATE(0ULL, (1ULL << 33) - 3, 1ULL << 63);
  const bool with_last = GENERATE(false, true);  // the key of records without a contig
  const unsigned seed = 61;
  CAPTURE(count, different, smallest, with_last, seed);
  std::mt19937_64 rng(seed);
  KeySorting sorting;
  auto& keys = sorting.keys;
  sorting.scratch.resize(7);
  for (std::uint32_t i = 0; i < count; ++i) keys.push_back({smallest + rng() % different, i});
  if (with_last && count > 2) keys[1].key = keys[count / 2].key = ~0ULL;
  for (int again = 0; again < 2; ++again) {  // then they are in order
    std::vector<NumberedKey> wanted(keys.begin(), keys.end());
    std::ranges::stable_sort(wanted, {}, &NumberedKey::key);
    sorting.sort();
    const auto fields = [](const NumberedKey& each) { return std::pair(each.key, each.number); };
    const bool as_wanted = std::ranges::equal(keys, wanted, {}, fields, fields);
    CHECK(as_wanted);
  }
}
