// The string sort where strings end, repeat and differ: around windows, keys and groups, and at bytes 0 and 255.
#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "sort/string_sort.hpp"

namespace warpseed {

using namespace sort;
using namespace text;

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t shared_lengths[] = {0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 1000};

std::string bytes_of(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

/// Order and heads from the strings alone; std::string compares bytes as unsigned numbers.
StringOrder expected_order(const Texts& texts) {
  StringOrder expected;
  expected.order.resize(texts.size());
  std::iota(expected.order.begin(), expected.order.end(), 0U);
  std::stable_sort(expected.order.begin(), expected.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
  std::vector<bool> begins(texts.size() / 32 * 32 + 32, true);
  for (std::size_t row = 1; row < texts.size(); ++row) {
    begins[row] = texts[expected.order[row]] != texts[expected.order[row - 1]];
  }
  for (std::size_t row = 0; row < begins.size(); ++row) {
    if (row % 32 == 0) expected.heads.push_back(0);
    if (begins[row]) expected.heads.back() |= 1U << (row % 32);
  }
  return expected;
}

void require_bytes_sorted(const Texts& texts, const Backend& backend) {
  ByteStrings strings;
  for (const std::string& text : texts) strings.add(text);
  const StringOrder sorted = sort_strings(strings, backend), expected = expected_order(texts);
  REQUIRE(sorted.order == expected.order);
  REQUIRE(sorted.heads == expected.heads);
}

/// Packs the bases after `first` others, so that strings begin anywhere in a word.
void require_bases_sorted(const Texts& texts, std::uint64_t first, const Backend& backend) {
  std::vector<std::uint64_t> offsets = {first};
  for (const std::string& text : texts) offsets.push_back(offsets.back() + text.size());
  std::vector<std::uint64_t> words(offsets.back() / 32 + 2, 0xAAAAAAAAAAAAAAAA);  // G around the strings
  std::uint64_t at = first;
  for (const std::string& text : texts) {
    for (const char base : text) {
      const unsigned shift = 62 - 2 * static_cast<unsigned>(at % 32);
      words[at / 32] = (words[at / 32] & ~(std::uint64_t{3} << shift)) | std::uint64_t{std::string("ACGT").find(base)}
                                                                             << shift;
      ++at;
    }
  }
  const StringOrder sorted =
      sort_strings(PackedView{words.data(), offsets.back()}, View<std::uint64_t>(offsets), backend);
  const StringOrder expected = expected_order(texts);
  REQUIRE(sorted.order == expected.order);
  REQUIRE(sorted.heads == expected.heads);
}

std::string random_string(std::size_t length, const std::string& letters, std::mt19937& rng) {
  std::string text(length, ' ');
  for (char& letter : text) letter = letters[rng() % letters.size()];
  return text;
}

/// Strings that share `shared` characters of `letters` and then end, go on, or repeat one another; shuffled.
Texts with_shared_prefix(std::size_t shared, const std::string& letters, std::mt19937& rng) {
  const std::string prefix = random_string(shared, letters, rng);
  const std::string low(1, letters.front()), high(1, letters.back());
  Texts texts = {"", "", low, high};
  for (const std::string& tail : {std::string(), low, high, low + low, low + high, high + low, std::string(8, low[0]),
                                  std::string(9, low[0]), std::string(33, high[0])}) {
    texts.insert(texts.end(), 2, prefix + tail);  // stable order shows in the duplicates
    if (shared > 0) texts.push_back(prefix.substr(0, shared - 1) + tail);
  }
  std::shuffle(texts.begin(), texts.end(), rng);
  return texts;
}

}  // namespace

TEST_CASE("strings that share a prefix of any length differ right after it", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 81;
  std::mt19937 rng(seed);
  Texts all;
  for (const std::size_t shared : shared_lengths) {
    for (const std::string& letters : {bytes_of({0, 255}), bytes_of({0, 1}), std::string("acgtn"), bytes_of({255})}) {
      CAPTURE(to_string(backend), shared, letters.size(), seed);
      const Texts texts = with_shared_prefix(shared, letters, rng);
      require_bytes_sorted(texts, backend);
      all.insert(all.end(), texts.begin(), texts.end());
    }
  }
  std::shuffle(all.begin(), all.end(), rng);
  CAPTURE(to_string(backend), seed);
  require_bytes_sorted(all, backend);
}

TEST_CASE("reads that share a prefix of any length differ right after it", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t first = GENERATE(0, 1, 31, 32, 33);
  constexpr unsigned seed = 82;
  std::mt19937 rng(seed);
  for (const std::size_t shared : shared_lengths) {
    for (const std::string letters : {"AT", "ACGT", "A", "T"}) {
      CAPTURE(to_string(backend), first, shared, letters, seed);
      require_bases_sorted(with_shared_prefix(shared, letters, rng), first, backend);
    }
  }
}

TEST_CASE("strings of one character are sorted by their lengths", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  for (const int letter : {0, 1, 127, 128, 255}) {
    CAPTURE(to_string(backend), letter);
    Texts texts;  // a window past a string's end holds zeros, and so does a window of bytes 0
    for (std::size_t i = 0; i < 140; ++i) texts.push_back(std::string((i * 37) % 70, static_cast<char>(letter)));
    require_bytes_sorted(texts, backend);
  }
  for (const char base : {'A', 'T'}) {
    CAPTURE(to_string(backend), base);
    Texts texts;
    for (std::size_t i = 0; i < 300; ++i) texts.push_back(std::string((i * 37) % 150, base));
    require_bases_sorted(texts, 5, backend);
  }
}

TEST_CASE("any number of strings fills the words of heads", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const std::size_t count = GENERATE(0, 1, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025);
  CAPTURE(to_string(backend), count);
  Texts different;
  for (std::size_t i = 0; i < count; ++i) different.push_back(std::to_string((i * 7919) % 100'003));
  require_bytes_sorted(different, backend);
  require_bytes_sorted(Texts(count, ""), backend);
  require_bytes_sorted(Texts(count, "the same, longer than a window"), backend);
  require_bases_sorted(Texts(count, std::string(65, 'C')), 3, backend);
}

TEST_CASE("groups that share a prefix are sorted, whatever their size", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  // 8: the CPU compares whole strings; 16 and 64: a device does; 4096: the CPU makes a task of a group.
  const std::size_t size = GENERATE(2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 4095, 4096, 4097);
  constexpr unsigned seed = 83;
  CAPTURE(to_string(backend), size, seed);
  std::mt19937 rng(seed);
  Texts texts;
  for (const std::string& prefix : {bytes_of({0, 0, 0, 0, 0, 0, 0, 0}), std::string("sixteen letters."),
                                    std::string(65, '\xFF'), std::string("short")}) {
    for (std::size_t i = 0; i < size; ++i) {
      texts.push_back(prefix + random_string(rng() % 4 == 0 ? 0 : rng() % 40, bytes_of({0, 'a', 255}), rng));
    }
  }
  std::shuffle(texts.begin(), texts.end(), rng);
  require_bytes_sorted(texts, backend);
}

TEST_CASE("many duplicates keep their order", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(3)));
  constexpr unsigned seed = 84;
  CAPTURE(to_string(backend), seed);
  std::mt19937 rng(seed);
  const std::string stem = random_string(64, "ACGT", rng);
  Texts texts;
  for (std::size_t i = 0; i < 40'000; ++i) texts.push_back(stem.substr(0, 60 + rng() % 5) + "ACGT"[rng() % 4]);
  require_bytes_sorted(texts, backend);
  require_bases_sorted(texts, 7, backend);
}

TEST_CASE("each string is about a window longer than the one before", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const std::size_t step = GENERATE(7, 8, 9);
  CAPTURE(to_string(backend), step);
  Texts texts;
  for (std::size_t i = 0; i < 200; ++i) {
    texts.push_back(std::string(step * ((i * 61) % 200), 'x') + (i % 2 == 0 ? "y" : "w"));
  }
  require_bytes_sorted(texts, backend);
}

TEST_CASE("byte strings return what was added", "[sort]") {
  const Texts texts = {"", std::string(1, '\0'), "seven b", "eight by", "nine byte", bytes_of({0, 255, 0}), "", "end"};
  ByteStrings strings;
  strings.reserve(3, 5);  // less than what is added
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) strings.add(text), bytes += text.size();
  REQUIRE(strings.count() == texts.size());
  CHECK(strings.bytes() == bytes);
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(strings[i] == texts[i]);
}

TEST_CASE("a window of bytes has the order of the bytes, wherever it begins", "[sort]") {
  ByteStrings strings;
  const std::string text = bytes_of({1, 2, 250, 4, 0, 255, 7, 128, 9, 10, 11, 12, 13, 14, 15, 16});
  strings.add(text);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    std::uint64_t expected = 0;
    for (std::size_t i = at; i < at + 8; ++i) {
      expected = expected << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    }
    CAPTURE(at);
    CHECK(strings.text().window(at) == expected);
  }
}

TEST_CASE("the first window of a string hides what follows it", "[sort]") {
  ByteStrings strings;
  for (const std::string text : {"", "a", "seven b", "eight by", "nine byte"}) strings.add(text);
  const Strings<ByteView> view = end_to_end(strings.text(), strings.offsets().data, strings.count());
  CHECK(first_window(view, 0) == 0);
  CHECK(first_window(view, 1) == std::uint64_t{'a'} << 56);
  CHECK((first_window(view, 2) & 0xFF) == 0);
  CHECK((first_window(view, 2) >> 8 & 0xFF) == 'b');
  CHECK((first_window(view, 3) & 0xFF) == 'y');
  CHECK((first_window(view, 4) & 0xFF) == 't');
}

TEST_CASE("strings that cannot be numbered are rejected before any is read", "[sort]") {
  const std::vector<std::uint64_t> words(2, 0), offsets = {0, 0xFFFFFFFF};
  const ByteView text{words.data()};
  CHECK_THROWS_AS(sort_strings(text, View<std::uint64_t>(offsets), Backend{}), std::invalid_argument);
  const View<std::uint64_t> too_many(offsets.data(), std::uint64_t{1} << 32);
  CHECK_THROWS_AS(sort_strings(text, too_many, Backend{}), std::invalid_argument);
}

}  // namespace warpseed
