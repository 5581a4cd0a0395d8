#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "api_backends.hpp"
#include "catch.hpp"
#include "warpseed/error.hpp"
#include "warpseed/sort.hpp"
#include "warpseed/suffix_array.hpp"

namespace warpseed {

namespace {

std::vector<std::string> texts() {
  std::mt19937 rng(21);
  std::vector<std::string> all = {"", "a", "mississippi", std::string(500, 'z'), std::string("\0\xFF\0", 3)};
  for (const unsigned letters : {2U, 256U}) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>(rng() % letters);
    all.push_back(text);
  }
  return all;
}

bool smaller(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  });
}

template <class Position>
void check_suffixes(const std::string& text, const Context& context) {
  std::vector<Position> expected(text.size());
  std::iota(expected.begin(), expected.end(), Position{0});
  const std::string_view view = text;
  std::sort(expected.begin(), expected.end(),
            [&](Position a, Position b) { return smaller(view.substr(a), view.substr(b)); });
  const std::vector<Position> suffixes = suffix_array<Position>(text, context);
  REQUIRE(suffixes == expected);
  const std::vector<Position> lcp = lcp_array(text, suffixes, context);
  REQUIRE(lcp.size() == text.size());
  for (std::size_t row = 0; row < lcp.size(); ++row) {
    std::size_t shared = 0;
    while (row > 0 && std::max(suffixes[row], suffixes[row - 1]) + shared < text.size() &&
           text[suffixes[row] + shared] == text[suffixes[row - 1] + shared])
      ++shared;
    REQUIRE(lcp[row] == shared);
  }
}

}  // namespace

TEST_CASE("suffix and LCP array of a text of bytes", "[api][backend]") {
  const Context context({GENERATE(from_range(test::backend_names())), 2});
  for (const std::string& text : texts()) {
    CAPTURE(context.backend(), text.size());
    check_suffixes<std::uint32_t>(text, context);
    check_suffixes<std::uint64_t>(text, context);
  }
  CHECK_THROWS_AS(lcp_array<std::uint32_t>("abc", {0, 1}, context), InputError);
  CHECK_THROWS_AS(lcp_array<std::uint32_t>("abc", {0, 1, 3}, context), InputError);
  CHECK_THROWS_AS(suffix_array("abc", Context({"cpu"}), SuffixSorter::skew), BackendError);
}

TEST_CASE("segments are sorted each for itself, and values follow their keys", "[api][backend]") {
  const Context context({GENERATE(from_range(test::backend_names())), 2});
  std::mt19937 rng(22);
  std::vector<std::uint64_t> offsets = {3};
  for (int i = 0; i < 300; ++i) offsets.push_back(offsets.back() + rng() % (i % 50 == 0 ? 3000 : 40));
  std::vector<std::uint32_t> keys(offsets.back() + 5);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng() % 100);
  std::vector<std::uint64_t> values(keys.size());
  std::iota(values.begin(), values.end(), std::uint64_t{0});

  std::vector<std::uint64_t> order = values;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                     order.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]),
                     [&](std::uint64_t a, std::uint64_t b) { return keys[a] < keys[b]; });
  }
  std::vector<std::uint32_t> sorted;
  for (const std::uint64_t i : order) sorted.push_back(keys[i]);

  std::vector<std::uint32_t> alone = keys;
  segmented_sort(alone, offsets, context);
  CHECK(alone == sorted);
  segmented_sort(keys, std::span(values), offsets, context);
  CHECK(keys == sorted);
  CHECK(values == order);
  CHECK_THROWS_AS(segmented_sort(keys, std::vector<std::uint64_t>{5, 4}, context), std::invalid_argument);
}

TEST_CASE("strings are ordered as bytes, equal ones as given", "[api][backend]") {
  const Context context({GENERATE(from_range(test::backend_names())), 2});
  std::mt19937 rng(23);
  std::vector<std::string> strings = {"", "a", "", "\xFF", "aa", std::string("a\0", 2)};
  for (int i = 0; i < 3000; ++i) strings.push_back(std::string(rng() % 20, 'x') + static_cast<char>(rng() % 256));
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  std::vector<std::uint32_t> expected(strings.size());
  std::iota(expected.begin(), expected.end(), 0U);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return smaller(views[a], views[b]); });
  CHECK(string_order(views, context) == expected);
  CHECK(string_order({}, context).empty());
}

}  // namespace warpseed
