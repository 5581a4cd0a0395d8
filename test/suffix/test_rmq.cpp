#include "suffix/rmq.hpp"

#include <numeric>

#include "catch.hpp"
#include "suffix/euler_rmq.hpp"

namespace warpseed {

using namespace suffix;

namespace {

using Values = std::vector<std::uint32_t>;
using Ranges = std::vector<IndexRange<std::uint32_t>>;

constexpr std::uint32_t largest = 0xFFFFFFFF;

struct NamedValues {
  std::string name;
  Values values;
};

/// Difficult values: equal, ascending, descending, few, large, with minima at either end of any range.
std::vector<NamedValues> difficult_values(std::size_t size, std::mt19937& rng) {
  std::vector<NamedValues> all = {{"equal", Values(size, 7)}, {"largest", Values(size, largest)}};
  Values rising(size);
  std::iota(rising.begin(), rising.end(), 0U);
  all.push_back({"rising", rising});
  all.push_back({"falling", {rising.rbegin(), rising.rend()}});
  Values mountain(size);
  for (std::size_t i = 0; i < size; ++i) mountain[i] = static_cast<std::uint32_t>(std::min(i, size - i));
  all.push_back({"mountain", mountain});
  for (const std::uint32_t modulus : {2U, 50U, largest}) {
    Values random(size);
    for (auto& value : random) value = static_cast<std::uint32_t>(rng()) % modulus;
    all.push_back({"random below " + std::to_string(modulus), random});
  }
  Values rare(size, largest);
  for (std::size_t i = 0; i < size / 50; ++i) rare[rng() % size] = static_cast<std::uint32_t>(rng() % 3);
  all.push_back({"rare", rare});
  return all;
}

Ranges random_ranges(std::size_t size, std::size_t count, std::mt19937& rng) {
  Ranges ranges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t reach = i % 4 == 0 ? size : std::min<std::size_t>(size, std::size_t{1} << rng() % 20);
    const std::size_t begin = rng() % size, length = 1 + rng() % reach;
    ranges.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(size, begin + length))});
  }
  return ranges;
}

std::size_t scanned(const Values& values, const IndexRange<std::uint32_t>& range) {
  return static_cast<std::size_t>(std::min_element(values.begin() + range.begin, values.begin() + range.end) -
                                  values.begin());
}

void require_answers(const Values& values, const Ranges& ranges, const std::vector<std::size_t>& expected,
                     const Backend& backend) {
  const Values minima = range_minima(values, ranges, backend), places = leftmost_minima(values, ranges, backend);
  REQUIRE(minima.size() == ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    CAPTURE(ranges[i].begin, ranges[i].end);
    if (places[i] != expected[i] || minima[i] != values[expected[i]]) {
      REQUIRE(places[i] == expected[i]);
      REQUIRE(minima[i] == values[expected[i]]);
    }
  }
}

}  // namespace

TEST_CASE("every range of a short array has its minimum", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t size = GENERATE(1, 2, 7, 8, 9, 63, 64, 65, 100);
  const unsigned seed = 3U + static_cast<unsigned>(size);
  std::mt19937 rng(seed);
  Ranges ranges;
  for (std::uint32_t begin = 0; begin < size; ++begin) {
    for (std::uint32_t end = begin + 1; end <= size; ++end) ranges.push_back({begin, end});
  }
  for (const NamedValues& values : difficult_values(size, rng)) {
    CAPTURE(to_string(backend), size, values.name, seed);
    std::vector<std::size_t> expected;
    for (const auto& range : ranges) expected.push_back(scanned(values.values, range));
    require_answers(values.values, ranges, expected, backend);
  }
}

TEST_CASE("minima of random ranges agree with a scan", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t size = GENERATE(511, 512, 513, 4095, 4097, 32'767, 32'768, 32'769, 100'003);
  const unsigned seed = 5U + static_cast<unsigned>(size);
  std::mt19937 rng(seed);
  for (const NamedValues& values : difficult_values(size, rng)) {
    CAPTURE(to_string(backend), size, values.name, seed);
    const Ranges ranges = random_ranges(size, 300, rng);
    std::vector<std::size_t> expected;
    for (const auto& range : ranges) expected.push_back(scanned(values.values, range));
    require_answers(values.values, ranges, expected, backend);
  }
}

TEST_CASE("minima over a big array agree with the classical algorithm", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 17;
  std::mt19937 rng(seed);
  for (const NamedValues& values : difficult_values(700'001, rng)) {
    CAPTURE(to_string(backend), values.name, seed);
    const test::EulerRmq oracle(values.values);
    const Ranges ranges = random_ranges(values.values.size(), 40'000, rng);
    std::vector<std::size_t> expected;
    for (const auto& range : ranges) expected.push_back(oracle.leftmost(range.begin, range.end));
    require_answers(values.values, ranges, expected, backend);
  }
}

TEST_CASE("64-bit values have their minima, too", "[suffix]") {
  std::mt19937 rng(23);
  for (const NamedValues& narrow : difficult_values(40'000, rng)) {
    CAPTURE(narrow.name);
    std::vector<std::uint64_t> values(narrow.values.begin(), narrow.values.end());
    for (auto& value : values) value *= 0x100000001;
    const RangeMinimum<std::uint64_t> rmq(values, 2);
    CHECK(4 * rmq.extra_bytes() <= values.size() * sizeof(std::uint64_t));
    for (const auto& range : random_ranges(values.size(), 500, rng)) {
      const std::size_t place = scanned(narrow.values, range);
      REQUIRE(rmq.leftmost(range.begin, range.end) == place);
      REQUIRE(rmq.minimum(range.begin, range.end) == values[place]);
    }
  }
}

TEST_CASE("empty ranges and ranges past the end are rejected", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Values values = {3, 1, 2};
  CHECK_THROWS_AS(range_minima(values, Ranges{{1, 1}}, backend), std::invalid_argument);
  CHECK_THROWS_AS(leftmost_minima(values, Ranges{{2, 1}}, backend), std::invalid_argument);
  CHECK_THROWS_AS(range_minima(values, Ranges{{0, 4}}, backend), std::invalid_argument);
  CHECK(range_minima(values, Ranges{}, backend).empty());
  CHECK(range_minima(Values{}, Ranges{}, backend).empty());
}

}  // namespace warpseed
