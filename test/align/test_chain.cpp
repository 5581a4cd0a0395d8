// Chains and rescue: what joins, what it weighs, where a lost mate is found.
#include <set>

#include "align/chain_core.hpp"
#include "align/rescue_core.hpp"
#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace warpseed;
using test::Codes;

Hit hit_at(GenomePos genome, std::uint32_t query, std::uint32_t length, bool reverse = false) {
  Hit hit;
  hit.genome_begin = genome, hit.query_begin = query, hit.length = length, hit.reverse = reverse;
  return hit;
}

}  // namespace

TEST_CASE("collinear hits join, others do not", "[align][chain]") {
  std::vector<Hit> hits = {hit_at(1000, 0, 30), hit_at(1045, 40, 30),  // 5 bases of deletion apart: one chain
                           hit_at(1400, 80, 25),                       // 320 diagonals off
                           hit_at(1000, 0, 30, true),                  // the other strand
                           hit_at(1010, 10, 15)};                      // inside the first
  std::vector<Chain> chains(hits.size());
  const std::uint32_t count = build_chains(hits.data(), 5, 150, 100, chains.data());
  REQUIRE(count == 3);
  CHECK(chains[0].weight() == 60);
  CHECK(chains[0].query_begin == 0);
  CHECK(chains[0].query_end == 70);
  CHECK(chains[0].genome_end == 1075);
  CHECK(chains[1].weight() == 25);
  CHECK(chains[2].reverse);
}

TEST_CASE("a chain weighs the bases under its hits", "[align][chain]") {
  std::mt19937 rng(21);
  for (int round = 0; round < 200; ++round) {
    std::vector<Hit> hits;
    for (std::uint32_t i = 0; i < 8; ++i)
      hits.push_back(hit_at(5000 + rng() % 120, 0, static_cast<std::uint32_t>(10 + rng() % 20)));
    for (Hit& hit : hits) hit.query_begin = static_cast<std::uint32_t>(hit.genome_begin - 5000);  // one diagonal
    std::set<std::uint64_t> covered;
    for (const Hit& hit : hits) {
      for (std::uint64_t at = hit.query_begin; at < hit.query_end(); ++at) covered.insert(at);
    }
    std::vector<Chain> chains(hits.size());
    REQUIRE(build_chains(hits.data(), 8, 200, 100, chains.data()) == 1);
    REQUIRE(chains[0].weight() == covered.size());
  }
}

TEST_CASE("weak chains under a strong one go, those on other bases stay", "[align][chain]") {
  std::vector<Hit> hits = {hit_at(1000, 0, 100), hit_at(90000, 20, 22), hit_at(50000, 110, 25)};
  std::vector<Chain> chains(hits.size());
  const std::uint32_t built = build_chains(hits.data(), 3, 150, 100, chains.data());
  REQUIRE(built == 3);
  const AlignOptions options;
  REQUIRE(filter_chains(chains.data(), built, 150, options) == 2);
  CHECK(chains[0].weight() == 100);
  CHECK(chains[1].genome_begin == 50000);
}

TEST_CASE("small_sort sorts what std::sort sorts", "[align][chain]") {
  std::mt19937 rng(22);
  for (const std::uint32_t size : {0U, 1U, 2U, 23U, 24U, 25U, 1000U}) {
    std::vector<std::uint32_t> items(size);
    for (auto& item : items) item = static_cast<std::uint32_t>(rng() % 500);
    auto expected = items;
    std::sort(expected.begin(), expected.end());
    small_sort(items.data(), size, [](std::uint32_t a, std::uint32_t b) { return a < b; });
    REQUIRE(items == expected);
  }
}

TEST_CASE("a lost mate is found on its diagonal", "[align][rescue]") {
  std::mt19937 rng(23);
  for (int round = 0; round < 200; ++round) {
    const Codes window = test::random_codes(600, 4, rng);
    const auto from = static_cast<std::uint32_t>(rng() % 500);
    Codes read(window.begin() + from, window.begin() + from + 100);
    for (int error = 0; error < 4; ++error) {
      auto& code = read[rng() % read.size()];
      code = static_cast<std::uint8_t>((code + 1) % 4);
    }
    std::vector<WordSlot> slots(256);
    WordTable table = {slots.data(), 256};
    fill_table(table, read.data(), 100);
    std::vector<std::uint16_t> votes(700);
    count_votes(table, 100, window.data(), 600, votes.data());
    std::uint32_t most = 0;
    const std::uint32_t diagonal = best_diagonal(votes.data(), 700, 0, 0, most);
    REQUIRE(diagonal == from + 100);
    const ExactRun run = longest_run(read.data(), 100, window.data(), 600, diagonal);
    REQUIRE(run.length >= 20);
    REQUIRE(run.window_begin - run.read_begin == from);
    REQUIRE(std::equal(read.begin() + run.read_begin, read.begin() + run.read_begin + run.length,
                       window.begin() + run.window_begin));
  }
}
