// The segmented sort at the lengths and keys at which it changes its method: warp, block and partition limits, digits,
// ties, unaligned segments. The oracle is std::stable_sort, segment by segment.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sort/segmented_sort.hpp"

namespace warpseed {

using namespace sort;

namespace {

using Keys = std::vector<std::uint32_t>;
using Offsets = std::vector<std::uint64_t>;

constexpr std::uint32_t largest_key = 0xFFFFFFFF;

/// The longest segments of the device's classes (cuda/sort/segment_lists.cuh) and of the CPU's insertion sort (24).
const std::vector<std::uint64_t> short_limits = {24, 32, 64, 128, 192, 256, 384, 512, 768};
const std::vector<std::uint64_t> block_limits = {1024, 2048, 4096, 8192, 16384, 32768};

struct Pair {
  std::uint32_t key;
  std::uint64_t value;
};

/// The expected result: pairs outside all segments do not change.
std::vector<Pair> stable_sorted(const Keys& keys, const Offsets& offsets) {
  std::vector<Pair> pairs;
  for (std::uint64_t i = 0; i < keys.size(); ++i) pairs.push_back({keys[i], ~i});
  for (std::size_t s = 1; s < offsets.size(); ++s) {
    std::stable_sort(pairs.begin() + static_cast<std::ptrdiff_t>(offsets[s - 1]),
                     pairs.begin() + static_cast<std::ptrdiff_t>(offsets[s]),
                     [](const Pair& a, const Pair& b) { return a.key < b.key; });
  }
  return pairs;
}

/// Sorts keys with values that need all bits of Value, and keys alone.
template <class Value>
void require_values(const Keys& keys, const Offsets& offsets, const std::vector<Pair>& expected,
                    const Backend& backend) {
  Keys sorted = keys;
  std::vector<Value> values(keys.size());
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(~i);
  segmented_sort(std::span(sorted), std::span(values), offsets, backend);
  std::uint64_t right = 0;
  while (right < keys.size() && sorted[right] == expected[right].key &&
         values[right] == static_cast<Value>(expected[right].value)) {
    ++right;
  }
  CAPTURE(sizeof(Value), right);  // the first wrong index
  REQUIRE(right == keys.size());
}

void require_sorted(const Keys& keys, const Offsets& offsets, const Backend& backend) {
  const std::vector<Pair> expected = stable_sorted(keys, offsets);
  require_values<std::uint32_t>(keys, offsets, expected, backend);
  require_values<std::uint64_t>(keys, offsets, expected, backend);
  Keys alone = keys;
  segmented_sort(alone, offsets, backend);
  const bool same = std::equal(alone.begin(), alone.end(), expected.begin(), expected.end(),
                               [](std::uint32_t key, const Pair& pair) { return key == pair.key; });
  REQUIRE(same);
}

Offsets offsets_of(const std::vector<std::uint64_t>& lengths, std::uint64_t first = 0) {
  Offsets offsets = {first};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

const std::vector<std::string> key_kinds = {"all equal", "all largest", "descending", "0 and largest", "16 values"};

std::uint32_t key_of_kind(const std::string& kind, std::uint64_t place, std::mt19937& rng) {
  const auto down = static_cast<std::uint32_t>(~place);
  if (kind == "all equal") return 0;
  if (kind == "all largest") return largest_key;
  if (kind == "descending") return down;
  if (kind == "0 and largest") return rng() % 2 == 0 ? 0 : largest_key;
  return static_cast<std::uint32_t>(rng() % 16) << 28;
}

}  // namespace

TEST_CASE("many segments around each class limit are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 61;
  std::mt19937 rng(seed);
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t limit : short_limits) {
    for (int copy = 0; copy < 12; ++copy) lengths.insert(lengths.end(), {limit - 1, limit, limit + 1});
  }
  for (const std::uint64_t limit : block_limits) lengths.insert(lengths.end(), {limit - 1, limit, limit + 1});
  std::shuffle(lengths.begin(), lengths.end(), rng);
  const Offsets offsets = offsets_of(lengths);
  for (const std::string& kind : key_kinds) {
    CAPTURE(to_string(backend), kind, seed);
    Keys keys(offsets.back());
    for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = key_of_kind(kind, i, rng);
    require_sorted(keys, offsets, backend);
  }
}

TEST_CASE("a long segment is sorted around the lengths of tiles, chunks and parts", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  // 2^16: the CPU begins to partition; 2^15: a device does, in chunks of 2^15 keys; 2^18: a block of the CPU.
  const std::uint64_t limit = GENERATE(1ULL << 15, 1ULL << 16, 3ULL << 15, 1ULL << 18);
  constexpr unsigned seed = 62;
  std::mt19937 rng(seed);
  for (const std::uint64_t length : {limit - 1, limit, limit + 1}) {
    for (const std::string kind : {"descending", "0 and largest", "16 values"}) {
      CAPTURE(to_string(backend), length, kind, seed);
      Keys keys(length);
      for (std::uint64_t i = 0; i < length; ++i) keys[i] = key_of_kind(kind, i, rng);
      require_sorted(keys, {0, length}, backend);
    }
  }
}

TEST_CASE("keys that crowd into one digit again and again are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint32_t lowest = GENERATE(0U, 0x80000000U, 0xFF000000U);
  constexpr unsigned seed = 63;
  CAPTURE(to_string(backend), lowest, seed);
  std::mt19937 rng(seed);
  Keys keys(250'000);
  for (std::uint32_t& key : keys) {
    unsigned bits = 32;
    while (bits > 8 && rng() % 8 != 0) bits -= 8;  // 7 of 8 share the next 8 bits, too
    key = std::max(lowest, lowest + static_cast<std::uint32_t>(rng() >> (32 - bits)));
  }
  require_sorted(keys, {0, keys.size()}, backend);
}

TEST_CASE("one key apart from many equal ones is found wherever it is", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  for (const std::uint64_t length : {33U, 65U, 769U, 2049U, 32'769U, 65'537U}) {
    for (const std::uint64_t place : {std::uint64_t{0}, length / 2, length - 1}) {
      for (const std::uint32_t key : {0U, 999U, 1001U, largest_key}) {
        CAPTURE(to_string(backend), length, place, key);
        Keys keys(length, 1000);
        keys[place] = key;
        require_sorted(keys, {0, length}, backend);
      }
    }
  }
}

TEST_CASE("keys that differ only in bits that do not fit next to an index are sorted", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  // A warp's number holds a key's upper bits and its index; one thread sorts runs of up to 8, longer ones take more
  // sorts.
  const std::uint64_t run = GENERATE(2, 7, 8, 9, 33, 200);
  constexpr unsigned seed = 64;
  CAPTURE(to_string(backend), run, seed);
  std::mt19937 rng(seed);
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t limit : {64U, 128U, 256U, 512U, 768U, 2000U, 5000U}) {
    lengths.insert(lengths.end(), {limit, limit - 1, limit});
  }
  const Offsets offsets = offsets_of(lengths);
  Keys keys(offsets.back());
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    const auto group = static_cast<std::uint32_t>(i / run), low = static_cast<std::uint32_t>(~i % run);
    keys[i] = (group * 2654435761U & 0xFFFFFC00U) + low / 2;  // descending within the run, each key twice
  }
  keys.front() = 0, keys.back() = largest_key;
  require_sorted(keys, offsets, backend);
  for (std::size_t s = 1; s < offsets.size(); ++s) {
    std::shuffle(keys.begin() + static_cast<std::ptrdiff_t>(offsets[s - 1]),
                 keys.begin() + static_cast<std::ptrdiff_t>(offsets[s]), rng);
  }
  require_sorted(keys, offsets, backend);
}

TEST_CASE("a block's bucket of as many keys as a warp sorts, and one more", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  for (const std::uint64_t crowd : {1023U, 1024U, 1025U}) {
    for (const std::uint64_t length : {1500U, 2048U, 20'000U}) {
      CAPTURE(to_string(backend), crowd, length);
      Keys keys(length);
      for (std::uint64_t i = 0; i < length; ++i) {
        keys[i] = i < crowd ? static_cast<std::uint32_t>((crowd - i) / 3) : largest_key / static_cast<std::uint32_t>(i);
      }
      std::shuffle(keys.begin(), keys.end(), std::mt19937(65));
      require_sorted(keys, {0, length}, backend);
    }
  }
}

TEST_CASE("segments with any begin leave their neighbours unchanged", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t first = GENERATE(1, 2, 3, 5, 31, 33);
  constexpr unsigned seed = 66;
  CAPTURE(to_string(backend), first, seed);
  std::mt19937 rng(seed);
  const Offsets offsets = offsets_of({1, 3, 63, 65, 129, 767, 769, 2047, 5, 8191, 33'001, 66'001}, first);
  Keys keys(offsets.back() + first);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng() % 5000);
  require_sorted(keys, offsets, backend);
}

TEST_CASE("empty segments between, before and after others change nothing", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t empty = GENERATE(1, 31, 32, 33, 2047, 2048, 2049);  // a device's tile: 2048 keys and segments
  constexpr unsigned seed = 67;
  CAPTURE(to_string(backend), empty, seed);
  std::mt19937 rng(seed);
  std::vector<std::uint64_t> lengths(empty, 0);
  for (const std::uint64_t length : {1U, 2U, 32U, 33U, 64U, 2048U, 0U, 700U}) {
    lengths.push_back(length);
    lengths.insert(lengths.end(), empty, 0);
  }
  const Offsets offsets = offsets_of(lengths);
  Keys keys(offsets.back());
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng() % 50);
  require_sorted(keys, offsets, backend);
}

TEST_CASE("any number of segments of 0 and 1 keys does not change", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const std::uint64_t count = GENERATE(0, 1, 31, 32, 33, 63, 64, 65, 4097);
  CAPTURE(to_string(backend), count);
  Keys keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = static_cast<std::uint32_t>(count - i);
  const Keys before = keys;
  segmented_sort(keys, offsets_of(std::vector<std::uint64_t>(count, 1)), backend);
  CHECK(keys == before);
  segmented_sort(keys, Offsets(5, count), backend);
  CHECK(keys == before);
  segmented_sort(keys, Offsets{count}, backend);
  CHECK(keys == before);
  require_sorted(keys, {0, count}, backend);
}

TEST_CASE("every number of CPU threads gives the same result", "[sort]") {
  constexpr unsigned seed = 68;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const Offsets offsets = offsets_of({100, 70'000, 0, 24, 25, 300'000, 1});
  Keys keys(offsets.back());
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng() % 1000);
  for (const int threads : {1, 2, 3, 8}) require_sorted(keys, offsets, {BackendKind::cpu, 0, threads});
}

TEST_CASE("a segment of more keys than 32 bits can number is rejected", "[sort]") {
  Keys keys(1);
  const Offsets offsets = {0, std::uint64_t{1} << 32};
  CHECK_THROWS_AS(segmented_sort(keys, offsets, Backend{}), std::invalid_argument);
}

}  // namespace warpseed
