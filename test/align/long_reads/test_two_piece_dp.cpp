// Alignment with two-piece gaps compared with whole matrices, with vectors of every width.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "align/alignment_oracle.hpp"
#include "align/long_reads/two_piece_dp.hpp"
#include "align/vector_targets.hpp"
#include "catch.hpp"
#include "two_piece_oracle.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using test::Codes;
using test::minus_infinity;
using test::TwoPieceMatrix;
using test::Walked;

LongScoring random_scoring(std::mt19937& rng) {
  LongScoring scoring;
  if (rng() % 2) return scoring;
  const auto below = [&](unsigned limit) { return static_cast<std::int32_t>(rng() % limit); };
  scoring.match = 1 + below(3), scoring.mismatch = 1 + below(9);
  scoring.gap_open = below(17), scoring.gap_extend = 2 + below(2);
  scoring.long_gap_open = scoring.gap_open + 1 + below(25), scoring.long_gap_extend = 1;
  scoring.drop = below(3) == 0 ? below(60) : 400;
  scoring.end_bonus = below(12);
  return scoring;
}

struct Case {
  Codes genome, query;
  DiagonalBand band;
  LongScoring scoring;

  Case(std::size_t length, std::mt19937& rng) {
    genome = test::random_codes(length, rng() % 3 == 0 ? 2 : 4, rng);
    query = test::mutated(genome, 2 + static_cast<unsigned>(rng() % 40), rng);
    if (rng() % 4 == 0 && !query.empty()) {
      const auto cut = static_cast<std::ptrdiff_t>(rng() % query.size());
      query.erase(query.begin() + cut, query.begin() + std::min<std::ptrdiff_t>(cut + 60, std::ssize(query)));
    }
    if (rng() % 4 == 0) {
      const Codes other = test::random_codes(rng() % 60, 4, rng);
      query.insert(query.begin() + static_cast<std::ptrdiff_t>(rng() % (query.size() + 1)), other.begin(), other.end());
    }
    if (!query.empty() && rng() % 4 == 0) query[rng() % query.size()] = 4;
    if (!genome.empty() && rng() % 4 == 0) genome[rng() % genome.size()] = 4;
    band = DiagonalBand::around(static_cast<std::int32_t>(query.size()), static_cast<std::int32_t>(genome.size()),
                                static_cast<std::int32_t>(1 + rng() % (rng() % 2 ? 300 : 12)));
    scoring = random_scoring(rng);
  }
};

/// The path between the corners by the recurrence of one cell, row by row.
Cigar path_cell_by_cell(const Case& one) {
  const std::size_t width = one.genome.size();
  std::vector<std::uint8_t> steps(width * one.query.size());
  std::vector<TwoPieceCell> above(width);  // u, y and y2
  for (std::size_t j = 0; j < one.query.size(); ++j) {
    TwoPieceCell left;  // v, x and x2
    for (std::size_t i = 0; i < width; ++i) {
      const std::int64_t diagonal = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j);
      if (diagonal < one.band.lowest || diagonal > one.band.highest) continue;
      TwoPieceCell cell = above[i];
      cell.v = left.v, cell.x = left.x, cell.x2 = left.x2;
      set_two_piece_borders(one.scoring, one.band, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), cell);
      const std::int32_t aligned = score_of(one.scoring, one.query[j], one.genome[i]);
      steps[j * width + i] = compute_two_piece_cell(one.scoring, aligned, cell);
      above[i] = left = cell;
    }
  }
  Cigar reversed, cigar;
  const auto add = [](Cigar& to, int op, std::int32_t length) {
    records::append(to, static_cast<records::CigarOp>(op), static_cast<std::uint32_t>(length));
  };
  walk_two_piece_path(
      static_cast<std::int32_t>(width) - 1, static_cast<std::int32_t>(one.query.size()) - 1,
      [&](std::int32_t i, std::int32_t j) {
        return steps[static_cast<std::size_t>(j) * width + static_cast<std::size_t>(i)];
      },
      [&](int op, std::int32_t length) { add(reversed, op, length); });
  for (auto e = reversed.rbegin(); e != reversed.rend(); ++e) {
    add(cigar, static_cast<int>(records::cigar_op(*e)), static_cast<std::int32_t>(records::cigar_length(*e)));
  }
  return cigar;
}

}  // namespace

TEST_CASE("two-piece paths score what whole matrices do", "[align][long]") {
  const std::int64_t target = GENERATE(from_range(test::vector_targets()));
  const std::size_t length = GENERATE(0, 1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 130, 250);
  const unsigned seed = 25000U + static_cast<unsigned>(length);
  CAPTURE(hwy::TargetName(target), length, seed);
  const test::OnlyTarget only(target);
  std::mt19937 rng(seed);
  TwoPieceScratch scratch;
  for (int round = 0; round < 200; ++round) {
    const Case one(length, rng);
    CAPTURE(round, test::letters_of(one.query), test::letters_of(one.genome), one.band.lowest, one.band.highest);
    const TwoPieceMatrix matrix(one.query, one.genome, one.band, one.scoring);
    Cigar cigar;
    align_between(one.query, one.genome, one.band, one.scoring, scratch, cigar);
    const Walked path(cigar, one.query, one.genome, one.scoring);
    REQUIRE(path.query == std::ssize(one.query));
    REQUIRE(path.genome == std::ssize(one.genome));
    REQUIRE(path.score == matrix.best.back().back());
    const bool empty = one.query.empty() || one.genome.empty();  // then no cell says which gap comes first
    if (!empty) REQUIRE(path_cell_by_cell(one) == cigar);
  }
}

TEST_CASE("two-piece extensions end where whole matrices do", "[align][long]") {
  const std::int64_t target = GENERATE(from_range(test::vector_targets()));
  const std::size_t length = GENERATE(1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 130, 250);
  const unsigned seed = 26000U + static_cast<unsigned>(length);
  CAPTURE(hwy::TargetName(target), length, seed);
  const test::OnlyTarget only(target);
  std::mt19937 rng(seed);
  TwoPieceScratch scratch;
  for (int round = 0; round < 200; ++round) {
    Case one(length, rng);
    const auto spare = static_cast<std::int32_t>(1 + rng() % 200);
    one.band = {-spare, spare};
    one.scoring.drop = 1 << 20;
    CAPTURE(round, test::letters_of(one.query), test::letters_of(one.genome), spare);
    const TwoPieceMatrix matrix(one.query, one.genome, one.band, one.scoring);
    int best = 0, whole = minus_infinity;
    for (int j = 1; j <= std::ssize(one.query); ++j) {
      for (int i = 1; i <= std::ssize(one.genome); ++i) {
        if (std::abs(i - j) > spare) continue;
        best = std::max(best, matrix.best[j][i]);
        if (j == std::ssize(one.query)) whole = std::max(whole, matrix.best[j][i]);
      }
    }
    Cigar cigar;
    const TwoPieceEnd end = extend_from(one.query, one.genome, one.band, one.scoring, scratch, cigar);
    const Walked path(cigar, one.query, one.genome, one.scoring);
    REQUIRE(path.score == end.score);
    REQUIRE(path.query == end.query_length);
    REQUIRE(path.genome == end.genome_length);
    if (one.query.empty()) continue;
    if (whole >= best - one.scoring.end_bonus) {
      REQUIRE(end.query_length == std::ssize(one.query));
      REQUIRE(end.score == whole);
    } else {
      REQUIRE(end.score == best);
    }
  }
}

TEST_CASE("a matrix of more cells than the limit is one insertion and one deletion", "[align][long]") {
  std::mt19937 rng(12);
  constexpr std::uint32_t length = 1 << 15;
  constexpr auto rows = static_cast<std::int32_t>(max_dp_cells / length);  // diagonals that just fit
  const Codes same = test::random_codes(length, 4, rng);
  TwoPieceScratch scratch;
  Cigar within, beyond;
  align_between(same, same, {-rows / 2, rows / 2 - 1}, LongScoring(), scratch, within);
  align_between(same, same, {-rows / 2, rows / 2}, LongScoring(), scratch, beyond);
  CHECK(records::cigar_text(within) == fmt::format("{}M", length));
  CHECK(records::cigar_text(beyond) == fmt::format("{0}I{0}D", length));
}

TEST_CASE("an extension ends after a drop", "[align][long]") {
  std::mt19937 rng(9);
  const Codes same = test::random_codes(300, 4, rng);
  Codes query = same, genome = same;
  const Codes other = test::random_codes(3000, 4, rng), different = test::random_codes(3000, 4, rng);
  query.insert(query.end(), other.begin(), other.end()),
      genome.insert(genome.end(), different.begin(), different.end());
  query.insert(query.end(), 5000, 1), genome.insert(genome.end(), 5000, 1);  // would be worth more
  TwoPieceScratch scratch;
  Cigar cigar;
  const TwoPieceEnd end = extend_from(query, genome, {-100, 100}, LongScoring(), scratch, cigar);
  CHECK(end.query_length >= 300);
  CHECK(end.query_length < 400);
}
