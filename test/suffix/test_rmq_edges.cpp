// Range minima with ends, or a minimum, at the borders of nodes, levels and the table. The answers follow from the
// construction of the values, without a search.
#include "catch.hpp"
#include "suffix/rmq.hpp"

namespace warpseed {

using namespace suffix;

namespace {

using Values = std::vector<std::uint32_t>;
using Range = IndexRange<std::uint32_t>;
using Ranges = std::vector<Range>;

constexpr std::uint32_t largest = 0xFFFFFFFF;
constexpr std::uint32_t node_sizes[] = {8, 64, 512, 4096, 32'768};  // values under an entry of each level

/// 0, the size, and the positions around the first, second and last border of each level's nodes.
std::vector<std::uint32_t> border_positions(std::uint32_t size) {
  std::vector<std::uint32_t> places = {0, 1, size - 1, size};
  for (const std::uint32_t node : node_sizes) {
    for (const std::uint32_t border : {node, 2 * node, 7 * node, size / node * node}) {
      for (const std::uint32_t place : {border - 1, border, border + 1}) {
        if (place < size) places.push_back(place);
      }
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// Every range with both ends among the positions.
Ranges ranges_between(const std::vector<std::uint32_t>& places) {
  Ranges ranges;
  for (std::size_t begin = 0; begin < places.size(); ++begin) {
    for (std::size_t end = begin + 1; end < places.size(); ++end) ranges.push_back({places[begin], places[end]});
  }
  return ranges;
}

/// position_of(range): the first position of the range's minimum.
template <class PositionOf>
void require_positions(const Values& values, const Ranges& ranges, const Backend& backend, PositionOf position_of) {
  const Values places = leftmost_minima(values, ranges, backend), minima = range_minima(values, ranges, backend);
  REQUIRE(places.size() == ranges.size());
  REQUIRE(minima.size() == ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint32_t expected = position_of(ranges[i]);
    if (places[i] == expected && minima[i] == values[expected]) continue;
    CAPTURE(ranges[i].begin, ranges[i].end, minima[i]);
    REQUIRE(places[i] == expected);
    REQUIRE(minima[i] == values[expected]);
  }
}

bool holds(const Range& range, std::uint32_t place) {
  return range.begin <= place && place < range.end;
}

}  // namespace

TEST_CASE("a minimum at any border is found by every range that ends at borders", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint32_t size = GENERATE(9U, 65U, 513U, 4095U, 4096U, 4097U, 32'769U, 229'377U);  // 7 * 2^15 + 1
  const std::vector<std::uint32_t> places = border_positions(size);
  const Ranges ranges = ranges_between(places);
  const std::size_t step = places.size() > 30 ? 3 : 1;
  for (std::size_t i = 0; i < places.size(); i += step) {
    const std::uint32_t lowest = std::min(places[i], size - 1);
    CAPTURE(to_string(backend), size, lowest);
    Values values(size, largest);
    values[lowest] = largest - 1;
    require_positions(values, ranges, backend,
                      [&](const Range& range) { return holds(range, lowest) ? lowest : range.begin; });
  }
}

TEST_CASE("of two equal minima the first in the range is found", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint32_t size = GENERATE(64U, 513U, 4097U, 98'305U);
  const std::vector<std::uint32_t> places = border_positions(size);
  const Ranges ranges = ranges_between(places);
  for (std::size_t i = 0; i + 2 < places.size(); i += 4) {
    const std::uint32_t first = places[i], second = places[i + 1 + (i * 7) % (places.size() - i - 2)];
    CAPTURE(to_string(backend), size, first, second);
    Values values(size, 1);
    values[first] = values[second] = 0;
    require_positions(values, ranges, backend, [&](const Range& range) {
      return holds(range, first) ? first : holds(range, second) ? second : range.begin;
    });
  }
}

TEST_CASE("sorted and equal values have their minima at the ends of ranges", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint32_t size = GENERATE(1U, 31U, 32U, 33U, 4097U, 163'841U);
  CAPTURE(to_string(backend), size);
  const Ranges ranges = ranges_between(border_positions(size));
  const auto first = [](const Range& range) { return range.begin; };
  Values rising(size), falling(size);
  for (std::uint32_t i = 0; i < size; ++i) rising[i] = i, falling[i] = largest - i;
  require_positions(rising, ranges, backend, first);
  require_positions(falling, ranges, backend, [](const Range& range) { return range.end - 1; });
  for (const std::uint32_t value : {0U, 5U, largest - 1, largest})
    require_positions(Values(size, value), ranges, backend, first);
}

TEST_CASE("values that fall by node have their minimum in a range's last node", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint32_t node = GENERATE(8U, 64U, 512U, 4096U);
  const std::uint32_t size = 40'001;
  CAPTURE(to_string(backend), node);
  Values values(size);
  for (std::uint32_t i = 0; i < size; ++i) values[i] = (size - i / node * node) % 1'000'000;
  require_positions(values, ranges_between(border_positions(size)), backend,
                    [&](const Range& range) { return std::max(range.begin, (range.end - 1) / node * node); });
}

TEST_CASE("as many queries as are in flight at once, and one more", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t count = GENERATE(1, 31, 32, 33, 63, 64, 65, 16'383, 16'384, 16'385);
  CAPTURE(to_string(backend), count);
  Values values(5000);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i;
  Ranges ranges;
  for (std::uint32_t i = 0; i < count; ++i) {
    ranges.push_back({i * 17 % 5000, 0});
    ranges.back().end = std::min(5000U, ranges.back().begin + 1 + i % 3000);
  }
  require_positions(values, ranges, backend, [](const Range& range) { return range.begin; });
}

TEST_CASE("64-bit minima are compared in all their bits", "[suffix]") {
  constexpr std::uint64_t high = std::uint64_t{1} << 32, size = 33'000;
  std::vector<std::uint64_t> values(size, high + 5);
  values[32'768] = 2 * high;  // small in its low bits only
  values[64] = high + 4;
  const RangeMinimum<std::uint64_t> rmq(values, 2);
  CHECK(rmq.size() == size);
  CHECK(rmq.minimum(0, size) == high + 4);
  CHECK(rmq.leftmost(0, size) == 64);
  CHECK(rmq.leftmost(65, size) == 65);
  CHECK(rmq.minimum(32'768, 32'769) == 2 * high);
  CHECK(rmq.leftmost(32'768, size) == 32'769);
  const std::vector<IndexRange<std::uint64_t>> ranges = {{0, size}, {65, size}, {32'768, 32'769}};
  std::vector<std::uint64_t> results(3);
  rmq.minima(ranges, results, 2);
  CHECK(results == std::vector<std::uint64_t>{high + 4, high + 5, 2 * high});
  rmq.leftmosts(ranges, results, 1);
  CHECK(results == std::vector<std::uint64_t>{64, 65, 32'768});
  results.pop_back();
  CHECK_THROWS_AS(rmq.minima(ranges, results, 1), std::invalid_argument);
  CHECK_THROWS_AS(rmq.leftmosts(ranges, results, 1), std::invalid_argument);
}

TEST_CASE("range minima need no more memory than documented", "[suffix]") {
  for (const std::size_t size : {100'000U, 1'000'000U}) {
    const Values values(size, 3);
    const RangeMinimum<std::uint32_t> rmq(values, 2);
    CAPTURE(size);
    CHECK(static_cast<double>(rmq.extra_bytes()) <= 0.144 * 4 * static_cast<double>(size));
  }
}

TEST_CASE("sizes of levels and rows of the table", "[suffix]") {
  CHECK(rmq_level_size(0, 1) == 0);
  CHECK(rmq_level_size(1, 1) == 1);
  CHECK(rmq_level_size(8, 1) == 1);
  CHECK(rmq_level_size(9, 1) == 2);
  CHECK(rmq_level_size(32'768, rmq_top) == 1);
  CHECK(rmq_level_size(32'769, rmq_top) == 2);
  CHECK(rmq_level_size(7, 0) == 7);
  CHECK(rmq_table_rows(0) == 0);
  CHECK(rmq_table_rows(1) == 1);
  CHECK(rmq_table_rows(2) == 2);
  CHECK(rmq_table_rows(3) == 2);
  CHECK(rmq_table_rows(4) == 3);
}

TEST_CASE("a node of eight answers for any part of it", "[suffix]") {
  const RmqNode<std::uint32_t> node{{5, 3, 9, 3, largest, 0, 0, 7}};
  CHECK(node.minimum(0, 8) == 0);
  CHECK(node.minimum(0, 5) == 3);
  CHECK(node.minimum(4, 5) == largest);
  CHECK(node.minimum(3, 3) == largest);  // nothing
  CHECK(node.minimum(8, 8) == largest);
  CHECK(node.at(7) == 7);
  CHECK(node.find(3, 0) == 1);
  CHECK(node.find(3, 2) == 3);
  CHECK(node.find(0, 6) == 6);
}

}  // namespace warpseed
