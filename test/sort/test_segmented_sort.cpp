#include "sort/segmented_sort.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "sort/segmented_sort_core.hpp"

namespace warpseed {

using namespace sort;

namespace {

using Keys = std::vector<std::uint32_t>;
using Offsets = std::vector<std::uint64_t>;
using MakeKey = std::function<std::uint32_t(std::uint64_t place, std::uint64_t length, std::mt19937& rng)>;

struct NamedKeys {
  const char* name;
  MakeKey make;
};

/// Kinds of keys that take different code paths.
std::vector<NamedKeys> kinds_of_keys() {
  return {
      {"random", [](auto, auto, std::mt19937& rng) { return static_cast<std::uint32_t>(rng()); }},
      {"all equal", [](auto, auto, std::mt19937&) { return 7U; }},
      {"few different", [](auto, auto, std::mt19937& rng) { return static_cast<std::uint32_t>(rng() % 3); }},
      {"two, far apart", [](auto, auto, std::mt19937& rng) { return rng() % 2 ? 0xFFFFFFFFU : 0U; }},
      {"sorted", [](auto place, auto, std::mt19937&) { return static_cast<std::uint32_t>(5 * place); }},
      {"reversed", [](auto place, auto length, std::mt19937&) { return static_cast<std::uint32_t>(length - place); }},
      {"crowded at 0", [](auto, auto, std::mt19937& rng) { return static_cast<std::uint32_t>(rng() >> (rng() % 32)); }},
      {"a crowd and one far away",
       [](auto place, auto, std::mt19937& rng) {
         return place == 3 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(rng() % 100'000);
       }},
      {"upper bits alike",
       [](auto, auto, std::mt19937& rng) { return static_cast<std::uint32_t>((rng() % 40) << 27 | rng() % 64); }}};
}

Offsets offsets_of(const std::vector<std::uint64_t>& lengths, std::uint64_t first = 0) {
  Offsets offsets = {first};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

Keys keys_for(const Offsets& offsets, const MakeKey& make, std::mt19937& rng) {
  Keys keys(offsets.back());
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      keys[i] = make(i - offsets[s], offsets[s + 1] - offsets[s], rng);
    }
  }
  return keys;
}

/// The stable order of the input indices 0, 1, 2, ...
std::vector<std::uint64_t> expected_order(const Keys& keys, const Offsets& offsets) {
  std::vector<std::uint64_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(offsets[s]),
                     order.begin() + static_cast<std::ptrdiff_t>(offsets[s + 1]),
                     [&](std::uint64_t a, std::uint64_t b) { return keys[a] < keys[b]; });
  }
  return order;
}

template <class Value>
Value value_for(std::uint64_t place) {
  return static_cast<Value>(place * 0x9E3779B97F4A7C15ULL);  // odd: distinct for distinct positions
}

template <class Value>
bool sorts_pairs(const Keys& keys, const Offsets& offsets, const std::vector<std::uint64_t>& order,
                 const Backend& backend) {
  Keys sorted = keys;
  std::vector<Value> values(keys.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_for<Value>(i);
  segmented_sort(std::span(sorted), std::span(values), offsets, backend);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (sorted[i] != keys[order[i]] || values[i] != value_for<Value>(order[i])) return false;
  }
  return true;
}

void check_all_widths(const Keys& keys, const Offsets& offsets, const Backend& backend) {
  const auto order = expected_order(keys, offsets);
  REQUIRE(sorts_pairs<std::uint32_t>(keys, offsets, order, backend));
  REQUIRE(sorts_pairs<std::uint64_t>(keys, offsets, order, backend));
  Keys sorted = keys;
  segmented_sort(sorted, offsets, backend);
  const bool same = std::equal(order.begin(), order.end(), sorted.begin(),
                               [&](std::uint64_t from, std::uint32_t key) { return keys[from] == key; });
  REQUIRE(same);
}

/// Lengths around every limit at which the method changes.
std::vector<std::uint64_t> lengths_at_the_edges() {
  std::vector<std::uint64_t> lengths = {0, 1, 2, 3, 5, 0, 0, 8, 15, 16, 17};
  for (const std::uint64_t edge : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384, 32768}) {
    for (const std::uint64_t length : {edge - 1, edge, edge + 1}) lengths.push_back(length);
  }
  return lengths;
}

/// Lengths from 1 to `longest`; every class from 2^k to 2^(k+1) has about the same number of keys.
std::vector<std::uint64_t> power_law(std::uint64_t keys, std::uint64_t longest, std::mt19937& rng) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t sum = 0; sum < keys; sum += lengths.back()) {
    const double uniform = static_cast<double>(rng()) / 4294967296.0;
    lengths.push_back(std::min(longest, static_cast<std::uint64_t>(1 / (1 - uniform))));
  }
  return lengths;
}

}  // namespace

TEST_CASE("a cut of keys uses the bits in which they differ", "[sort]") {
  const auto cut = KeyCut::top_bits(1000, 1000 + 255, 3);
  CHECK(cut.bits == 3);
  CHECK(cut.digit(1000) == 0);
  CHECK(cut.digit(1000 + 31) == 0);
  CHECK(cut.digit(1000 + 32) == 1);
  CHECK(cut.digit(1000 + 255) == 7);
  CHECK(cut.first_key(7) == 1000 + 224);
  CHECK(KeyCut::top_bits(5, 5, 8).bits == 0);
  CHECK(KeyCut::top_bits(5, 5, 8).digit(5) == 0);
  CHECK(KeyCut::top_bits(0, 0xFFFFFFFF, 0).digit(0xFFFFFFFF) == 0);
  CHECK(KeyCut::top_bits(0, 0xFFFFFFFF, 8).digit(0xFFFFFFFF) == 255);
  CHECK(KeyCut::top_bits(0, 3, 8).digit(3) == 3);
  CHECK(bits_for_parts(0, 100) == 0);
  CHECK(bits_for_parts(100, 100) == 0);
  CHECK(bits_for_parts(101, 100) == 1);
  CHECK(bits_for_parts(1600, 100) == 4);
}

TEST_CASE("segments with lengths around the limits are sorted as by std::stable_sort", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20250711;
  for (const NamedKeys& kind : kinds_of_keys()) {
    CAPTURE(to_string(backend), kind.name, seed);
    std::mt19937 rng(seed);
    auto lengths = lengths_at_the_edges();
    std::shuffle(lengths.begin(), lengths.end(), rng);
    const Offsets offsets = offsets_of(lengths);
    check_all_widths(keys_for(offsets, kind.make, rng), offsets, backend);
  }
}

TEST_CASE("a single segment of any length is sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t length = GENERATE(0, 1, 2, 31, 32, 33, 63, 64, 65, 1025, 32769, 65537, 300'000);
  const unsigned seed = 3U + static_cast<unsigned>(length);
  for (const NamedKeys& kind : kinds_of_keys()) {
    CAPTURE(to_string(backend), kind.name, length, seed);
    std::mt19937 rng(seed);
    const Offsets offsets = offsets_of({length});
    check_all_widths(keys_for(offsets, kind.make, rng), offsets, backend);
  }
}

TEST_CASE("every short length is sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 17;
  CAPTURE(to_string(backend), seed);
  std::mt19937 rng(seed);
  std::vector<std::uint64_t> lengths(1100);
  std::iota(lengths.begin(), lengths.end(), std::uint64_t{0});
  std::shuffle(lengths.begin(), lengths.end(), rng);
  const Offsets offsets = offsets_of(lengths);
  check_all_widths(keys_for(offsets, kinds_of_keys()[0].make, rng), offsets, backend);
}

TEST_CASE("mixed lengths with a power law are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 4;
  for (const NamedKeys& kind : kinds_of_keys()) {
    CAPTURE(to_string(backend), kind.name, seed);
    std::mt19937 rng(seed);
    const Offsets offsets = offsets_of(power_law(700'000, 200'000, rng));
    check_all_widths(keys_for(offsets, kind.make, rng), offsets, backend);
  }
}

TEST_CASE("a million empty segments change nothing", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 6;
  CAPTURE(to_string(backend), seed);
  std::mt19937 rng(seed);
  std::vector<std::uint64_t> lengths(1'000'000, 0);
  for (const std::uint64_t length : {1, 7, 33, 5000, 40'000}) lengths[rng() % lengths.size()] = length;
  const Offsets offsets = offsets_of(lengths);
  check_all_widths(keys_for(offsets, kinds_of_keys()[0].make, rng), offsets, backend);
  Keys none;
  segmented_sort(none, Offsets(1'000'000, 0), backend);
  segmented_sort(none, Offsets(), backend);
}

TEST_CASE("keys outside all segments do not change", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  Keys keys = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  segmented_sort(keys, Offsets{2, 5, 5, 7}, backend);
  CHECK(keys == Keys{9, 8, 5, 6, 7, 3, 4, 2, 1, 0});
}

TEST_CASE("inconsistent sizes are rejected", "[sort]") {
  Keys keys(10);
  std::vector<std::uint64_t> values(9);
  CHECK_THROWS_AS(segmented_sort(std::span(keys), std::span(values), Offsets{0, 10}, Backend{}), std::invalid_argument);
  CHECK_THROWS_AS(segmented_sort(keys, Offsets{0, 11}, Backend{}), std::invalid_argument);
  CHECK_THROWS_AS(segmented_sort(keys, Offsets{0, 5, 4, 10}, Backend{}), std::invalid_argument);
}

TEST_CASE("a segment of 2^31 - 1 keys is sorted", "[.large]") {
  const Backend backend = GENERATE(from_range(available_backends(16)));
  CAPTURE(to_string(backend));
  constexpr std::uint64_t length = (std::uint64_t{1} << 31) - 1, before = 3;
  Keys keys(before + length), values(keys.size());
  // Multiplying by an odd number permutes all numbers: the sorted keys are known without sorting.
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<std::uint32_t>(i * 2654435761U) / 2, values[i] = static_cast<std::uint32_t>(i);
  }
  segmented_sort(std::span(keys), std::span(values), Offsets{0, before, keys.size()}, backend);
  std::uint64_t wrong = 0, sum = 0;
  for (std::uint64_t i = before; i < keys.size(); ++i) {
    wrong += keys[i] != static_cast<std::uint32_t>(values[i] * 2654435761U) / 2;
    wrong += i > before && (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i]));
    sum += values[i];
  }
  CHECK(wrong == 0);
  CHECK(sum == (keys.size() - 1) * keys.size() / 2 - before * (before - 1) / 2);
}

}  // namespace warpseed
