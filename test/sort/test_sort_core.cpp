// What the sorts of both backends are built of: cuts of keys by their bits, keys of strings, comparisons of strings.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sort/segmented_sort_core.hpp"
#include "sort/string_sort.hpp"

namespace warpseed {

using namespace sort;

namespace {

constexpr std::uint32_t largest_key = 0xFFFFFFFF;

/// Length of the common prefix, and the order of what follows, by the strings themselves.
FirstDifference compared(const std::string& a, const std::string& b) {
  const auto shorter = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  const auto parting = std::mismatch(a.begin(), a.begin() + shorter, b.begin());
  const int order = a.compare(b);
  return {static_cast<std::uint64_t>(parting.first - a.begin()), order < 0 ? -1 : order > 0 ? 1 : 0};
}

std::vector<std::string> strings_around_windows(const std::string& letters) {
  std::vector<std::string> strings;
  for (const std::size_t length : {0U, 1U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U}) {
    strings.emplace_back(length, letters.front());
    strings.push_back(std::string(length, letters.front()) + letters.back());
    strings.push_back(std::string(length, letters.front()) + letters.back() + letters.front());
    strings.emplace_back(length, letters.back());
  }
  return strings;
}

void check_cut(const KeyCut& cut, std::uint32_t lowest, std::uint32_t highest, std::mt19937& rng) {
  const std::uint64_t span = std::uint64_t{highest} - lowest;
  std::vector<std::uint32_t> keys = {lowest, highest};
  for (int i = 0; i < 50; ++i) keys.push_back(lowest + static_cast<std::uint32_t>(rng() % (span + 1)));
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t digit = cut.digit(keys[i]);
    CAPTURE(lowest, highest, cut.bits, cut.shift, keys[i], digit);
    REQUIRE(std::uint64_t{digit} < std::uint64_t{1} << cut.bits);
    REQUIRE((i == 0 || cut.digit(keys[i - 1]) <= digit));
    const std::uint32_t first = cut.first_key(digit);
    REQUIRE(first <= keys[i]);
    REQUIRE(cut.digit(first) == digit);
    REQUIRE((first == lowest || cut.digit(first - 1) == digit - 1));
    REQUIRE(std::uint64_t{keys[i] - first} < std::uint64_t{1} << cut.shift);
  }
}

}  // namespace

TEST_CASE("digits of a cut ascend with the keys and begin at first_key()", "[sort]") {
  std::mt19937 rng(131);
  for (const std::uint32_t lowest : {0U, 1U, 1000U, 0x7FFFFFFFU, 0x80000000U, largest_key - 1, largest_key}) {
    for (const std::uint32_t span : {0U, 1U, 2U, 3U, 255U, 256U, 257U, 65'535U, 65'536U, 0x7FFFFFFFU, largest_key}) {
      if (span > largest_key - lowest) continue;
      for (const unsigned max_bits : {1U, 2U, 7U, 8U, 32U}) {
        const KeyCut cut = KeyCut::top_bits(lowest, lowest + span, max_bits);
        REQUIRE(cut.bits <= max_bits);
        REQUIRE(cut.bits + cut.shift == bits_in(span));
        check_cut(cut, lowest, lowest + span, rng);
      }
    }
  }
}

TEST_CASE("the bits of a number", "[sort]") {
  CHECK(bits_in(0) == 0);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint32_t power = 1U << bit;
    CAPTURE(bit);
    CHECK(bits_in(power) == bit + 1);
    CHECK(bits_in(power | (power - 1)) == bit + 1);
  }
}

TEST_CASE("evenly spread keys give parts of more than half of the wanted length", "[sort]") {
  for (const std::uint32_t wanted : {128U, 384U, 4096U}) {
    for (const std::uint32_t length : {1U, wanted - 1, wanted, wanted + 1, 2 * wanted, 2 * wanted + 1, 100 * wanted}) {
      const std::uint64_t parts = std::uint64_t{1} << bits_for_parts(length, wanted);
      CAPTURE(wanted, length, parts);
      CHECK(length <= parts * wanted);
      CHECK((parts == 1 || 2 * length > parts * wanted));
    }
  }
}

TEST_CASE("the first difference of two byte strings agrees with std::string, from any known common prefix", "[sort]") {
  for (const std::string& letters : {std::string("ab"), std::string({'\0', '\xFF'}), std::string({'\x7F', '\x80'})}) {
    const std::vector<std::string> texts = strings_around_windows(letters);
    ByteStrings strings;
    for (const std::string& text : texts) strings.add(text);
    const auto view = end_to_end(strings.text(), strings.offsets().data, strings.count());
    for (std::size_t a = 0; a < texts.size(); ++a) {
      for (std::size_t b = 0; b < texts.size(); ++b) {
        const FirstDifference expected = compared(texts[a], texts[b]);
        for (const std::uint64_t from : {std::uint64_t{0}, expected.common / 2, expected.common}) {
          const FirstDifference parting = part(view, a, b, from);
          CAPTURE(a, b, from);
          REQUIRE(parting.common == expected.common);
          REQUIRE(parting.order == expected.order);
        }
      }
    }
  }
}

TEST_CASE("a comparison stops at its limit", "[sort]") {
  const std::vector<std::string> texts = {std::string(40, 'x'), std::string(20, 'x') + "y" + std::string(19, 'x')};
  ByteStrings strings;
  for (const std::string& text : texts) strings.add(text);
  const auto view = end_to_end(strings.text(), strings.offsets().data, 2);
  for (std::uint64_t limit = 0; limit <= 45; ++limit) {
    const FirstDifference parting = part(view, 0, 1, 0, limit);
    CAPTURE(limit);
    CHECK(parting.order == (limit <= 20 ? 0 : -1));
    CHECK(parting.common == std::min<std::uint64_t>(limit, 20));
  }
}

TEST_CASE("keys of bytes compare as the strings do from any depth", "[sort]") {
  const std::vector<std::string> texts = strings_around_windows({'\0', '\xFF'});
  ByteStrings strings;
  for (const std::string& text : texts) strings.add(text);
  const auto view = end_to_end(strings.text(), strings.offsets().data, strings.count());
  ByteCodes codes;
  for (unsigned byte = 0; byte < 256; ++byte) codes.of[byte] = static_cast<std::uint16_t>(byte);
  const KeyShape shape = widest_key(8, 64);
  REQUIRE(shape.symbols == 7);
  for (const std::uint64_t depth : {0U, 1U, 7U, 8U, 9U, 64U, 1000U}) {
    const auto held = [&](std::size_t i) {
      return depth < texts[i].size() ? texts[i].substr(depth, shape.symbols) : std::string();
    };
    const auto key = [&](std::size_t i) {
      bool unforeseen = false;
      return key_of(view, i, depth, shape, codes.of, unforeseen);
    };
    for (std::size_t a = 0; a < texts.size(); ++a) {
      CAPTURE(depth, a);
      REQUIRE(shape.has_ended(key(a)) == (held(a).size() < shape.symbols));
      for (std::size_t b = 0; b < texts.size(); ++b) REQUIRE((key(a) < key(b)) == (held(a) < held(b)));
    }
  }
}

TEST_CASE("a group's number is above its strings' keys", "[sort]") {
  const KeyShape narrow{2, 12, 4}, full{8, 7, 8};
  REQUIRE(narrow.bits() == 28);
  REQUIRE(full.bits() == 64);
  const std::uint64_t key = (std::uint64_t{1} << 28) - 1;
  for (const std::uint64_t group : {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 32) - 1}) {
    CHECK(narrow.group_of(narrow.with_group(group, key)) == group);
    CHECK((narrow.with_group(group, key) & key) == key);
  }
  CHECK(full.with_group(0, ~std::uint64_t{0}) == ~std::uint64_t{0});
  CHECK(full.group_of(~std::uint64_t{0}) == 0);  // no room for a number: there is one group
}

}  // namespace warpseed
