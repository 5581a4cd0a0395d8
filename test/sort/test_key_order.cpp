// The order of keys against std::stable_sort.
#include "sort/key_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "catch.hpp"

namespace warpseed {

using namespace sort;

TEST_CASE("keys are sorted, equal ones in input order", "[sort][backend]") {
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

namespace {

std::vector<std::uint32_t> stable_order(const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

}  // namespace

TEST_CASE("keys that differ in one bit, or not at all, are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  // Below, at and above the size of a warp, two warps, and a task of the CPU.
  const std::uint64_t count = GENERATE(0, 1, 31, 32, 33, 63, 64, 65, 1025, (1 << 16) - 1, 1 << 16, (1 << 16) + 1);
  for (const unsigned bit : {0U, 1U, 31U, 32U, 33U, 63U}) {
    for (const std::uint64_t other_bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      CAPTURE(to_string(backend), count, bit, other_bits);
      std::vector<std::uint64_t> keys(count);
      for (std::uint64_t i = 0; i < count; ++i) keys[i] = other_bits ^ (i * i / 3 % 2 << bit);
      const bool in_order = key_order(keys, backend) == stable_order(keys);
      CHECK(in_order);
    }
  }
}

TEST_CASE("ascending and descending keys are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t count = GENERATE(2, 33, 65, 257, 70'000);
  const std::uint64_t repeats = GENERATE(1, 2, 100);
  CAPTURE(to_string(backend), count, repeats);
  std::vector<std::uint64_t> sorted(count), descending(count);
  for (std::uint64_t i = 0; i < count; ++i) sorted[i] = (i / repeats) << 40, descending[i] = ~sorted[i];
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  CHECK(key_order(sorted, backend) == numbers);
  CHECK(key_order(descending, backend) == stable_order(descending));
}

TEST_CASE("more keys than 32 bits can number are rejected before any is read", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const std::uint64_t key = 0;
  CHECK_THROWS_AS(key_order(std::span(&key, std::size_t{1} << 32), backend), std::invalid_argument);
}

}  // namespace warpseed
