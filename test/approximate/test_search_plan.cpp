#include "approximate/search_plan.hpp"

#include <random>
#include <stdexcept>

#include "approximate/verify_core.hpp"
#include "catch.hpp"
#include "search_helpers.hpp"

namespace warpseed {

using namespace approximate;
using test::sets_of;

namespace {

/// The parts cover the pattern, and their budgets leave no occurrence out.
void check_parts(const std::vector<Part>& parts, std::size_t length, std::uint32_t differences) {
  REQUIRE(!parts.empty());
  REQUIRE(parts.size() <= max_parts);
  REQUIRE(parts.front().begin == 0);
  REQUIRE(parts.back().end == length);
  std::uint32_t used = 0;  // by the budgets of the parts to the right, plus one for each
  for (std::size_t i = parts.size(); i-- > 0;) {
    CAPTURE(i);
    REQUIRE(parts[i].begin < parts[i].end);
    if (i > 0) REQUIRE(parts[i - 1].end == parts[i].begin);
    REQUIRE(parts[i].left_budget == differences - used);
    REQUIRE(parts[i].budget <= parts[i].left_budget);
    used += parts[i].budget + 1;
  }
  REQUIRE(used == differences + 1);
}

}  // namespace

TEST_CASE("the parts of a search cover every pattern and all differences", "[approximate]") {
  const SearchedText texts[] = {{0, 0}, {1, 0}, {100, 1}, {5000, 4}, {3'000'000, 9}, {6'200'000'000, 13}};
  for (const SearchedText& text : texts) {
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      for (std::uint32_t differences = 0; differences <= max_differences; ++differences) {
        SearchPlanner planner(text, {metric, differences, Strands::both});
        for (std::size_t length = differences + 1; length < 1100; length += length < 40 ? 1 : 171) {
          CAPTURE(text.size, metric == Metric::edits, differences, length);
          check_parts(planner.plan(sets_of(std::string(length, 'A'))).parts, length, differences);
        }
      }
    }
  }
}

TEST_CASE("the parts of a search are valid for patterns of all letters", "[approximate]") {
  constexpr unsigned seed = 5;
  std::mt19937 rng(seed);
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    for (std::uint32_t differences = 0; differences <= max_differences; ++differences) {
      SearchPlanner planner({3'000'000'000, 13}, {metric, differences, Strands::both});
      for (const std::string letters : {"N", "AN", "ACGTN", "ACGTRYSWKMBDHVN", "AAAAAAAAAR"}) {
        std::string pattern(differences + 1 + rng() % 150, 'A');
        for (char& letter : pattern) letter = letters[rng() % letters.size()];
        CAPTURE(seed, metric == Metric::edits, differences, pattern);
        check_parts(planner.plan(sets_of(pattern)).parts, pattern.size(), differences);
        const std::string blocks = std::string(30, 'N') + std::string(20, 'A') + std::string(25, 'R') + "ACGT";
        check_parts(planner.plan(sets_of(blocks)).parts, blocks.size(), differences);
      }
    }
  }
}

TEST_CASE("a plan depends on the numbers of bases that letters stand for", "[approximate]") {
  SearchPlanner planner({1'000'000, 8}, {Metric::mismatches, 3, Strands::both});
  const SearchPlan plan = planner.plan(sets_of("ACGTACGTACGTACGTACRYAAAAAAAA"));
  CHECK(planner.plan(sets_of("TTTTTTTTGGGGGGGGCCKMGGGGGGGG")) == plan);
  CHECK(SearchPlanner({1'000'000, 8}, {Metric::mismatches, 3, Strands::both})
            .plan(sets_of("TTTTTTTTGGGGGGGGCCKMGGGGGGGG")) == plan);
}

TEST_CASE("a pattern must be longer than the differences", "[approximate]") {
  SearchPlanner planner({1000, 3}, {Metric::edits, 3, Strands::both});
  CHECK_THROWS_AS(planner.plan({}), std::invalid_argument);
  CHECK_THROWS_AS(planner.plan(sets_of("ACG")), std::invalid_argument);
  CHECK(!planner.plan(sets_of("ACGT")).parts.empty());
}

TEST_CASE("searches are given up where other parts suit repeats better", "[approximate]") {
  const SearchOptions options = {Metric::mismatches, 1, Strands::both};
  SearchPlanner for_repeats({3'000'000'000, 13, 30'000}, options);
  SearchPlanner planner({3'000'000'000, 13, 10}, options, &for_repeats);
  CHECK(planner.plan(sets_of(std::string(32, 'A'))).give_up_rows < SearchPlan::never);
  CHECK(planner.plan(sets_of(std::string(32, 'A'))).parts.size() == 2);
  CHECK(for_repeats.plan(sets_of(std::string(32, 'A'))).parts.size() == 1);
  CHECK(for_repeats.plan(sets_of(std::string(32, 'A'))).give_up_rows == SearchPlan::never);
  CHECK(planner.plan(sets_of(std::string(200, 'A'))).give_up_rows == SearchPlan::never);
}

}  // namespace warpseed
