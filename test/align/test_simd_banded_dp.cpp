// Extension in SIMD lanes compared with extension cell by cell: the same results for all lengths.
#include <string>
#include <vector>

#include "align/extend/extend_hit_core.hpp"
#include "align/extend/simd_banded_dp.hpp"
#include "alignment_oracle.hpp"
#include "catch.hpp"
#include "vector_targets.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::text;
using test::Codes;

/// Of an end of the query that reaches_end() rejects, only that.
std::string text_of(const Extension& e, const Scoring& scoring) {
  const std::string best =
      std::to_string(e.best_score) + " at " + std::to_string(e.best_query) + "," + std::to_string(e.best_genome);
  if (!reaches_end(e, std::max(scoring.clip_begin, scoring.clip_end))) return best + ", clipped";
  return best + ", whole " + std::to_string(e.full_score) + " at " + std::to_string(e.full_genome);
}

Scoring random_scoring(std::mt19937& rng) {
  Scoring scoring;
  const auto below = [&](unsigned limit) { return static_cast<std::int32_t>(rng() % limit); };
  if (rng() % 2) return scoring;
  scoring.match = 1 + below(3), scoring.mismatch = below(8);
  scoring.deletion_open = below(10), scoring.insertion_open = below(10);
  scoring.deletion_extend = 1 + below(4), scoring.insertion_extend = 1 + below(4);
  scoring.drop = below(5) == 0 ? 0 : below(150);
  scoring.clip_begin = below(12), scoring.clip_end = below(12);
  if (below(20) == 0) scoring.mismatch = 300, scoring.insertion_open = 400;
  return scoring;
}

/// A query that resembles the genome in parts: differences, Ns, and sometimes other bases from the middle on.
Codes random_query(const Codes& genome, std::size_t length, std::mt19937& rng) {
  Codes query = test::mutated(genome, 2 + static_cast<unsigned>(rng() % 60), rng);
  query.resize(length, 1);
  if (rng() % 4 == 0) {
    for (std::size_t i = rng() % (length + 1); i < length; ++i) query[i] = static_cast<std::uint8_t>(rng() % 4);
  }
  for (std::size_t i = 0; i < length && rng() % 8 != 0; i += 1 + rng() % 50) query[i] = code_n;
  return query;
}

void compare(std::size_t length, std::mt19937& rng, SimdScratch& scratch) {
  Codes genome = test::random_codes(rng() % (length + 60), rng() % 3 == 0 ? 2 : 4, rng);
  if (genome.size() > 5 && rng() % 5 == 0) genome[rng() % genome.size()] = code_n;
  const Codes query = random_query(genome, length, rng);
  const Scoring scoring = random_scoring(rng);
  const bool back = rng() % 2 != 0;
  const auto strand = [&](const Codes& codes) {
    const auto size = static_cast<std::int32_t>(codes.size());
    return back && size > 0 ? Strand{codes.data() + size - 1, size, -1} : Strand{codes.data(), size, 1};
  };
  const auto start = 1 + static_cast<std::int32_t>(rng() % (rng() % 10 == 0 ? 70000 : 120));
  const auto band = static_cast<std::int32_t>(rng() % 3 == 0 ? rng() % 10 : rng() % 120);
  std::vector<ExtensionCell> row(length + 2);
  const Extension cells = extend_banded(strand(query), strand(genome), start, band, scoring, row.data());
  const Extension lanes = extend_simd(strand(query), strand(genome), start, band, scoring, scratch);
  CAPTURE(start, band, genome.size(), scoring.drop, test::letters_of(query), test::letters_of(genome));
  REQUIRE(text_of(lanes, scoring) == text_of(cells, scoring));
}

}  // namespace

TEST_CASE("extension in SIMD lanes equals extension cell by cell", "[align][extend]") {
  const std::int64_t target = GENERATE(from_range(test::vector_targets()));
  const std::size_t length = GENERATE(0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 131, 250, 300);
  const unsigned seed = 7400U + static_cast<unsigned>(length);
  CAPTURE(hwy::TargetName(target));
  const test::OnlyTarget only(target);
  CAPTURE(length, seed);
  std::mt19937 rng(seed);
  SimdScratch scratch;
  for (int round = 0; round < 1500; ++round) compare(length, rng, scratch);
}
