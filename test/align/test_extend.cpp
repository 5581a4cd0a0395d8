// Extension compared with full matrices.
#include <optional>

#include "align/extend/banded_dp_core.hpp"
#include "align/extend/ungapped_core.hpp"
#include "alignment_oracle.hpp"
#include "catch.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::text;
using test::Codes;

/// The first bases of a genome, in the form that extend() needs.
auto bases_of(const Strand& genome) {
  return [genome](std::int32_t count) { return Strand{genome.first, std::min(count, genome.length), genome.step}; };
}

/// Cell by cell.
struct ByCells {
  std::vector<ExtensionCell>& row;

  UngappedExtension ungapped(const Strand& query, const Strand& genome, std::int32_t start,
                             const Scoring& scoring) const {
    return extend_ungapped(query, genome, start, scoring);
  }
  bool gap_may_win(const GapSearch& search, const Strand& query, const Strand& genome) const {
    return align::gap_may_win(search, query, genome);
  }
  Extension banded(const Strand& query, const Strand& genome, std::int32_t start, std::int32_t band,
                   const Scoring& scoring) const {
    return extend_banded(query, genome, start, band, scoring, row.data());
  }
};

Extension run_extend(const Codes& query, const Codes& genome, int start, const GapLimits& limits,
                     const Scoring& scoring) {
  std::vector<ExtensionCell> row(query.size() + 2);
  return extend({query.data(), static_cast<std::int32_t>(query.size()), 1},
                bases_of({genome.data(), static_cast<std::int32_t>(genome.size()), 1}), start, limits, scoring,
                ByCells{row});
}

bool equal(const Extension& a, const Extension& b) {
  return a.best_score == b.best_score && a.best_query == b.best_query && a.best_genome == b.best_genome &&
         a.full_score == b.full_score && a.full_genome == b.full_genome;
}

Scoring other_scoring(std::mt19937& rng) {
  Scoring scoring;
  const auto below = [&](unsigned limit) { return static_cast<std::int32_t>(rng() % limit); };
  scoring.match = 1 + below(2), scoring.mismatch = 1 + below(6);
  scoring.deletion_open = below(8), scoring.insertion_open = below(8);
  scoring.deletion_extend = 1 + below(2), scoring.insertion_extend = 1 + below(2);
  scoring.drop = 10 + below(100);
  return scoring;
}

/// Genomes in which gaps are likely: a small alphabet, or a tandem repeat of a short unit.
Codes tempting_genome(std::size_t length, std::mt19937& rng) {
  Codes genome = test::random_codes(length, rng() % 3 == 0 ? 2 : 4, rng);
  if (rng() % 2 == 0) return genome;
  const std::size_t unit = 1 + rng() % 12, begin = rng() % length;
  for (std::size_t i = begin + unit; i < length && i < begin + 80; ++i) genome[i] = genome[i - unit];
  return genome;
}

struct Resembling {
  Codes genome, query;
};

Resembling resembling(std::mt19937& rng) {
  const std::size_t length = 1 + rng() % 160;
  Codes genome = tempting_genome(length + rng() % 60, rng);
  Codes query = test::mutated(genome, 5 + static_cast<unsigned>(rng() % 80), rng);
  query.resize(length, 2);
  return {genome, query};
}

/// Compares gap_may_win() with the DP for a query that resembles the genome. Returns whether it excluded gaps.
bool sure_of_no_gap(std::mt19937& rng) {
  auto [genome, query] = resembling(rng);
  const std::size_t length = query.size();
  if (rng() % 40 == 0) query[rng() % length] = code_n;
  if (rng() % 40 == 0) genome[rng() % genome.size()] = code_n;
  const Scoring scoring = rng() % 3 == 0 ? other_scoring(rng) : Scoring();
  const auto start = 1 + static_cast<std::int32_t>(rng() % (rng() % 2 == 0 ? 30 : 150));
  const Strand q = {query.data(), static_cast<std::int32_t>(length), 1};
  const Strand g = {genome.data(), static_cast<std::int32_t>(genome.size()), 1};
  const UngappedExtension ungapped = extend_ungapped(q, g, start, scoring);
  const GapSearch search(ungapped, q.length, start, scoring, {100});
  if (!search.possible(ungapped, scoring) || gap_may_win(search, q, g)) return false;
  std::vector<ExtensionCell> row(length + 2);
  const auto band = static_cast<std::int32_t>(rng() % 2 == 0 ? 100 : rng() % 30);
  const Extension wanted = extend_banded(q, g, start, band, scoring, row.data());
  CAPTURE(start, band, scoring.drop, test::letters_of(query), test::letters_of(genome));
  REQUIRE(equal(ungapped.ends, wanted));
  return true;
}

/// A sequence as packed words, after `front` other bases.
std::vector<std::uint64_t> packed(const Codes& codes, std::size_t front) {
  std::vector<std::uint64_t> words((front + codes.size()) / 32 + 2, 0x1B1B1B1B1B1B1B1BULL);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t at = front + i, shift = 62 - 2 * (at % 32);
    words[at / 32] = (words[at / 32] & ~(std::uint64_t{3} << shift)) | std::uint64_t{codes[i]} << shift;
  }
  return words;
}

/// The packed words of a side of a hit, for PackedWalk.
struct PackedSide {
  std::vector<std::uint64_t> query_words, text_words;
  PackedWalk walk;

  PackedSide(const Codes& query, const Codes& genome, bool leftwards, std::mt19937& rng) {
    const auto mirrored = [&](const Codes& codes) { return leftwards ? Codes(codes.rbegin(), codes.rend()) : codes; };
    const std::size_t front = rng() % 70, text_front = rng() % 70;
    query_words = packed(mirrored(query), front), text_words = packed(mirrored(genome), text_front);
    walk = {{query_words.data(), front + query.size()}, {text_words.data(), text_front + genome.size()},
            front + (leftwards ? query.size() : 0),     text_front + (leftwards ? genome.size() : 0),
            static_cast<std::int32_t>(query.size()),    leftwards};
  }
};

/// Compares an ungapped walk along packed words, to the right or left, with the DP. Returns whether it was certain.
bool certainly_ungapped(std::mt19937& rng) {
  const auto [genome, query] = resembling(rng);
  const Scoring scoring = rng() % 3 == 0 ? other_scoring(rng) : Scoring();
  const auto start = 1 + static_cast<std::int32_t>(rng() % (rng() % 2 == 0 ? 30 : 150));
  const bool leftwards = rng() % 2 == 0;
  const auto length = static_cast<std::int32_t>(query.size());
  const PackedSide side(query, genome, leftwards, rng);
  const PackedWalk& walk = side.walk;
  const UngappedWalk ungapped_extension(walk, start, scoring, rng() % 2 == 0 ? max_ungapped_mismatches : length);
  if (ungapped_extension.too_many()) return false;
  const Strand q = {query.data(), length, 1}, g = {genome.data(), static_cast<std::int32_t>(genome.size()), 1};
  const UngappedExtension &ungapped = ungapped_extension.extension, by_bases = extend_ungapped(q, g, start, scoring);
  CAPTURE(start, leftwards, scoring.drop, test::letters_of(query), test::letters_of(genome));
  REQUIRE(equal(ungapped.ends, by_bases.ends));
  REQUIRE(ungapped.loss == by_bases.loss);
  REQUIRE(ungapped.lowest == by_bases.lowest);
  const GapSearch search(ungapped, length, start, scoring, {100});
  if (!search.possible(ungapped, scoring) || g.length < length + search.deletions ||
      !ungapped_extension.lists_enough(search) || !ungapped_is_best(walk, ungapped_extension, search))
    return false;
  std::vector<ExtensionCell> row(query.size() + 2);
  const auto band = static_cast<std::int32_t>(rng() % 2 == 0 ? 100 : rng() % 30);
  REQUIRE(equal(ungapped.ends, extend_banded(q, g, start, band, scoring, row.data())));
  return true;
}

/// An extension of a query that resembles the genome.
struct ExtensionProblem {
  Codes genome, query;
  Scoring scoring;
  std::int32_t start;
  PackedSide side;

  explicit ExtensionProblem(std::mt19937& rng) : ExtensionProblem(resembling(rng), rng) {}
  ExtensionProblem(const Resembling& two, std::mt19937& rng)
      : genome(two.genome),
        query(two.query),
        scoring(rng() % 3 == 0 ? other_scoring(rng) : Scoring()),
        start(1 + static_cast<std::int32_t>(rng() % 150)),
        side(query, genome, rng() % 2 == 0, rng) {}

  /// The ends without a gap, each replaced by the DP's where that scores more and loses less than the limit; an end
  /// before the query's loses the rest of it as well. Ties between best ends: fewer genome bases.
  Extension by_definition(std::int32_t limit) const {
    const Strand q = {query.data(), static_cast<std::int32_t>(query.size()), 1};
    const Strand g = {genome.data(), static_cast<std::int32_t>(genome.size()), 1};
    std::vector<ExtensionCell> row(query.size() + 2);
    const Extension dp = extend_banded(q, g, start, 100, scoring, row.data());
    Extension wanted = extend_ungapped(q, g, start, scoring).ends;
    const std::int32_t all_match = start + q.length * scoring.match;
    const bool better = dp.best_score > wanted.best_score ||
                        (dp.best_score == wanted.best_score && dp.best_genome <= wanted.best_genome);
    if (better && all_match - dp.best_score <= limit) {
      wanted.best_score = dp.best_score, wanted.best_query = dp.best_query, wanted.best_genome = dp.best_genome;
    }
    if (dp.full_score > 0 && dp.full_score > wanted.full_score && all_match - dp.full_score < limit) {
      wanted.full_score = dp.full_score, wanted.full_genome = dp.full_genome;
    }
    return wanted;
  }

  /// The result that packed words show without a DP; none if they leave it open.
  std::optional<Extension> from_packed_words(std::int32_t limit) const {
    const UngappedWalk walked(side.walk, start, scoring, side.walk.length);
    const GapSearch search(walked.extension, side.walk.length, start, scoring, {100, limit});
    const bool certain = max_gap_for_loss(scoring, search.loss) == 0 ||
                         (search.possible(walked.extension, scoring) && walked.lists_enough(search) &&
                          static_cast<std::int32_t>(genome.size()) >= side.walk.length + search.deletions &&
                          ungapped_is_best(side.walk, walked, search));
    return certain ? std::optional(walked.extension.ends) : std::nullopt;
  }
};

}  // namespace

TEST_CASE("what is certainly ungapped is ungapped in the DP", "[align][extend]") {
  std::mt19937 rng(7600);
  constexpr int rounds = 200000;
  int sure = 0;
  for (int round = 0; round < rounds; ++round) sure += certainly_ungapped(rng) ? 1 : 0;
  CHECK(sure > rounds / 10);
}

TEST_CASE("where no gap may win, the DP finds none", "[align][extend]") {
  std::mt19937 rng(7500);
  constexpr int rounds = 100000;
  int sure = 0;
  for (int round = 0; round < rounds; ++round) sure += sure_of_no_gap(rng) ? 1 : 0;
  CHECK(sure > rounds / 10);
}

TEST_CASE("with a limit, gaps are found where they end within it, whatever test comes before the DP",
          "[align][extend]") {
  std::mt19937 rng(7700);
  int gapped = 0, ungapped_only = 0;
  for (int round = 0; round < 100000; ++round) {
    const ExtensionProblem problem(rng);
    const std::int32_t limit = 1 + static_cast<std::int32_t>(rng() % 60);
    const Extension wanted = problem.by_definition(limit);
    CAPTURE(limit, problem.start, test::letters_of(problem.query), test::letters_of(problem.genome));
    const Extension found = run_extend(problem.query, problem.genome, problem.start, {100, limit}, problem.scoring);
    REQUIRE(equal(found, wanted));
    if (const auto packed = problem.from_packed_words(limit)) REQUIRE(equal(*packed, wanted));
    (wanted.best_query != wanted.best_genome ? gapped : ungapped_only) += 1;
  }
  CHECK(gapped > 5000);
  CHECK(ungapped_only > 5000);
}

TEST_CASE("extension finds the scores of a full matrix", "[align][extend]") {
  const std::size_t length = GENERATE(0, 1, 2, 31, 32, 33, 100);
  const unsigned one_in = GENERATE(3U, 10U, 40U);
  const unsigned seed = 7100U + static_cast<unsigned>(length) + one_in;
  CAPTURE(length, one_in, seed);
  std::mt19937 rng(seed);
  Scoring scoring;
  scoring.drop = 100000;
  const int start = 600;  // high enough that no cell that matters is cut off at zero
  for (int round = 0; round < 60; ++round) {
    const Codes genome = test::random_codes(length + 40, 4, rng);
    const Codes query = test::mutated(Codes(genome.begin(), genome.begin() + static_cast<long>(length)), one_in, rng);
    const Extension found = run_extend(query, genome, start, {1000}, scoring);
    const test::FullMatrix oracle(query, genome, scoring, start);
    REQUIRE(found.best_score == oracle.highest());
    const int full = oracle.highest_with_whole_query();
    if (full > 0) REQUIRE(found.full_score == full);
    REQUIRE(oracle.best[static_cast<std::size_t>(found.best_query)][static_cast<std::size_t>(found.best_genome)] ==
            found.best_score);
    if (full > 0) REQUIRE(oracle.best.back()[static_cast<std::size_t>(found.full_genome)] == full);
  }
}

TEST_CASE("the narrowed band changes no result", "[align][extend]") {
  std::mt19937 rng(7200);
  const Scoring scoring;
  for (int round = 0; round < 2000; ++round) {
    const Codes genome = test::random_codes(180, round % 2 ? 4 : 2, rng);
    const Codes query = test::mutated(Codes(genome.begin(), genome.begin() + 90), 12, rng);
    std::vector<ExtensionCell> row(query.size() + 2);
    const Strand q = {query.data(), static_cast<std::int32_t>(query.size()), 1};
    const Strand g = {genome.data(), static_cast<std::int32_t>(genome.size()), 1};
    const Extension narrow = extend(q, bases_of(g), 40, {100}, scoring, ByCells{row});
    const Extension wide = extend_banded(q, g, 40, 100, scoring, row.data());
    REQUIRE(narrow.best_score == wide.best_score);
    REQUIRE(narrow.full_score == wide.full_score);
  }
}

TEST_CASE("an extension backwards equals one forwards", "[align][extend]") {
  std::mt19937 rng(7300);
  const Scoring scoring;
  for (int round = 0; round < 200; ++round) {
    const Codes genome = test::random_codes(120, 4, rng);
    const Codes query = test::mutated(Codes(genome.begin(), genome.begin() + 80), 15, rng);
    const Codes genome_back(genome.rbegin(), genome.rend()), query_back(query.rbegin(), query.rend());
    std::vector<ExtensionCell> row(query.size() + 2);
    const auto q = static_cast<std::int32_t>(query.size()), g = static_cast<std::int32_t>(genome.size());
    const Extension forward =
        extend({query.data(), q, 1}, bases_of({genome.data(), g, 1}), 30, {50}, scoring, ByCells{row});
    const Extension backward = extend({query_back.data() + q - 1, q, -1}, bases_of({genome_back.data() + g - 1, g, -1}),
                                      30, {50}, scoring, ByCells{row});
    REQUIRE(forward.best_score == backward.best_score);
    REQUIRE(forward.best_query == backward.best_query);
    REQUIRE(forward.full_score == backward.full_score);
    REQUIRE(forward.full_genome == backward.full_genome);
  }
}
