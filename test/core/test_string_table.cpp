#include "core/string_table.hpp"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace warpseed {

TEST_CASE("strings are numbered in their order, each distinct one once", "[core][string_table]") {
  const std::size_t count = GENERATE(as<std::size_t>{}, 0, 1, 31, 32, 33, 5000);
  const unsigned distinct = GENERATE(1U, 40U, 100000U);
  const unsigned seed = distinct + static_cast<unsigned>(count);
  CAPTURE(count, distinct, seed);
  std::mt19937 rng(seed);
  StringTable table;
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::string> strings;
  CHECK(table.find("") == StringTable::none);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned value = static_cast<unsigned>(rng()) % distinct;
    const std::string text = std::string(value % 7, '\0') + (value % 5 ? std::to_string(value) : "");
    const auto [place, is_new] = numbers.emplace(text, table.size());
    if (is_new) strings.push_back(text);
    REQUIRE(table.add(text) == place->second);
  }
  const StringTable moved = std::move(table);
  REQUIRE(moved.size() == strings.size());
  for (std::uint32_t i = 0; i < moved.size(); ++i) {
    REQUIRE(moved[i] == strings[i]);
    REQUIRE(moved.find(strings[i]) == i);
  }
  CHECK(moved.find("not there") == StringTable::none);
}

}  // namespace warpseed
