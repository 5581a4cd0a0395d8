// Insert sizes, pairs, mapping qualities, competitors: small cases computed by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "align/extend/extend_hit_core.hpp"
#include "align/pair/insert_size_distribution.hpp"
#include "align/pair/near_pairs.hpp"
#include "align/pair/pair_core.hpp"
#include "align/select/genome_tiles.hpp"
#include "align/select/mapq_core.hpp"
#include "align/select/rank_core.hpp"
#include "catch.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;

Alignment at(GenomePos begin, std::uint32_t length, bool reverse, std::int32_t score) {
  Alignment alignment;
  alignment.genome_begin = begin, alignment.genome_end = begin + length;
  alignment.query_end = length;
  alignment.score = alignment.path_score = score;
  alignment.reverse = reverse;
  return alignment;
}

/// Alignments of a read in a repeat: clusters far apart, some in one place, few different scores.
std::vector<Alignment> in_repeat(std::size_t count, std::mt19937& rng) {
  std::vector<Alignment> alignments;
  while (alignments.size() < count) {
    const GenomePos copy = 100000 * (1 + rng() % 40) + rng() % 3 * 250 + rng() % 4;
    alignments.push_back(at(copy, 90 + static_cast<std::uint32_t>(rng() % 20), rng() % 2 == 0,
                            80 + static_cast<std::int32_t>(rng() % 3)));
    alignments.back().tie = rng();
  }
  return alignments;
}

}  // namespace

TEST_CASE("pairs left out as not near are none that could be chosen", "[align][pairing]") {
  std::mt19937 rng(31);
  const InsertSizeDistributions distributions = given_insert_sizes(350, 30, 0, 0, Scoring{});
  int paired = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    std::vector<Alignment> a = in_repeat(1 + rng() % 90, rng), b = in_repeat(1 + rng() % 200, rng);
    const MateLists mates = {{a.data(), static_cast<std::uint32_t>(a.size()), 100},
                             {b.data(), static_cast<std::uint32_t>(b.size()), 100},
                             round};
    const InsertSizeView expected = distributions.view();
    const PairChoice all = choose_pair(mates, expected, Scoring{});
    const PairChoice near = choose_pair(mates, expected, Scoring{}, NearPairs{largest_distance(expected)});
    REQUIRE(near.first == all.first);
    REQUIRE(near.second == all.second);
    REQUIRE(near.score == all.score);
    REQUIRE(near.competitors == all.competitors);
    paired += all.first != no_alignment ? 1 : 0;
  }
  CHECK(paired > 100);
}

TEST_CASE("ends as far apart as proper pairs may be are near, those a base farther are not", "[align][pairing]") {
  for (const std::int64_t most : {0, 1, 500}) {
    for (const std::int64_t apart : {most, -most}) CHECK(is_near(apart, most));
    for (const std::int64_t apart : {most + 1, -most - 1}) CHECK_FALSE(is_near(apart, most));
  }
}

TEST_CASE("the quality of a single alignment is that of its formula", "[align][pairing]") {
  const AlignOptions options;
  const double match = options.scoring.match, mismatch = options.scoring.mismatch;
  for (const std::uint32_t span : {30U, 50U, 100U, 250U}) {
    for (int edits = 0; edits < 5; ++edits) {
      const auto score = static_cast<std::int32_t>(span * match - edits * (match + mismatch));
      for (const std::int32_t lead : {1, 3, 8}) {
        Alignment alignment = at(1000, span, false, score);
        alignment.second_score = score - lead;
        if (alignment.second_score < static_cast<std::int32_t>(options.min_seed * match)) continue;
        const double lost = span * match - score, identity = 1 - lost / (span * (match + mismatch));
        const double by_length = span < 50 ? 1 : std::log(50) / std::log(span);
        const double damping = std::pow(by_length * identity * identity, 2);
        const double found = 5.5 * lead / match * damping;
        // Against the competitor it is no surer than their difference allows: see quality_of_difference().
        const double most_sure = static_cast<double>(quality_of_difference(lead)) / static_cast<double>(fixed_one);
        const double wanted = std::clamp(std::min(found, most_sure), 0.0, 60.0);
        CAPTURE(span, edits, lead, found, most_sure);
        CHECK(std::abs(single_mapq(alignment, {span, 0}, options) - wanted) <= 1);
      }
    }
  }
}

TEST_CASE("tiles of the genome hide no duplicate from the ranking", "[align][pairing]") {
  std::mt19937 rng(32);
  std::uint32_t duplicates = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    std::vector<Alignment> plain = in_repeat(1 + rng() % 200, rng), tiled = plain;
    const auto count = static_cast<std::uint32_t>(plain.size());
    const std::uint32_t kept = rank_alignments(plain.data(), count, round);
    REQUIRE(rank_alignments(tiled.data(), count, round, GenomeTiles(tiled)) == kept);
    for (std::uint32_t i = 0; i < kept; ++i) REQUIRE(plain[i].tie == tiled[i].tie);
    duplicates += count - kept;
  }
  CHECK(duplicates > 1000);
}

TEST_CASE("insert sizes are learnt without outliers", "[align][pairing]") {
  std::mt19937 rng(11);
  std::normal_distribution<double> normal(400, 40);
  InsertSizeSample sample;
  for (int i = 0; i < 20000; ++i) sample.add({static_cast<std::int64_t>(normal(rng)), Orientation::fr});
  for (int i = 0; i < 400; ++i) sample.add({static_cast<std::int64_t>(5000 + rng() % 5000), Orientation::fr});
  for (int i = 0; i < 900; ++i) sample.add({200, Orientation::rf});
  const InsertSizeDistributions distributions = sample.learn(Scoring{});
  CHECK_FALSE(distributions[Orientation::rf].known);  // less than a twentieth
  const InsertSizeDistribution& model = distributions[Orientation::fr];
  REQUIRE(model.known);
  CHECK(model.mean == Approx(400).margin(2));
  CHECK(model.deviation == Approx(40).margin(4));
  CHECK(model.low < 260);
  CHECK(model.high > 540);
  CHECK(model.high < 900);
  InsertSizeSample equal;
  for (int i = 0; i < 24; ++i) equal.add({300, Orientation::ff});
  CHECK_FALSE(equal.learn(Scoring{}).known());
  equal.add({300, Orientation::ff});
  CHECK(equal.learn(Scoring{})[Orientation::ff].mean == Approx(300));
}

TEST_CASE("distances of mates are from 5' end to 5' end, in four orientations", "[align][pairing]") {
  const Alignment left = at(1000, 100, false, 100), right = at(1250, 100, true, 100);
  const auto check = [](const Alignment& a, const Alignment& b, std::int64_t bases, Orientation seen) {
    const MateDistance distance = mate_distance(a, 100, b, 100), mirrored = mate_distance(b, 100, a, 100);
    CHECK(distance.bases == bases);
    CHECK(distance.seen == seen);
    CHECK(mirrored.bases == bases);
    CHECK(mirrored.seen == from_other_mate(seen));
  };
  check(left, right, 350, Orientation::fr);
  check(left, at(1250, 100, false, 100), 250, Orientation::ff);
  check(right, at(1100, 100, true, 100), 150, Orientation::ff);
  check(at(1250, 100, false, 100), at(500, 100, true, 100), 650, Orientation::rf);
  Alignment elsewhere = right;
  elsewhere.contig = 1;
  CHECK(mate_distance(left, 100, elsewhere, 100).bases == -1);
  Alignment clipped = at(1010, 90, false, 90);  // ten bases clipped off the front
  clipped.query_begin = 10, clipped.query_end = 100;
  CHECK(mate_distance(clipped, 100, right, 100).bases == 350);
}

TEST_CASE("the pair at the usual distance wins over equal single scores", "[align][pairing]") {
  const InsertSizeDistributions distributions = given_insert_sizes(350, 30, 0, 0, Scoring{});
  Alignment a[] = {at(1000, 100, false, 100), at(900000, 100, false, 100)};
  Alignment b[] = {at(500000, 100, true, 100), at(900240, 100, true, 95)};
  const Scoring scoring;
  const PairChoice choice = choose_pair({{a, 2, 100}, {b, 2, 100}, 0}, distributions.view(), scoring);
  CHECK(choice.first == 1);
  CHECK(choice.second == 1);
  CHECK(choice.competitors == 0);
  CHECK(choice.score > 190);
  CHECK(choice.score <= 196);  // a perfect distance adds ln(2) in units of score
}

TEST_CASE("a mate that seeding has settled next to one of the best anchors is not searched for", "[align][pairing]") {
  const InsertSizeDistributions distributions = given_insert_sizes(350, 30, 0, 0, Scoring{});
  const AlignOptions options;
  const auto settled = [&](std::vector<Alignment> anchors, std::vector<Alignment> mates, ReadTraits mate,
                           const AlignOptions& with) {
    return is_settled_mate(std::span<const Alignment>(anchors), 100, std::span<const Alignment>(mates), mate,
                           distributions.view(), with);
  };
  const Alignment far = at(900000, 100, false, 100), near = at(1000, 100, false, 100), worse = at(1000, 100, false, 95);
  const Alignment mate = at(1250, 100, true, 95);
  CHECK(settled({near}, {mate}, {100, 0}, options));
  CHECK(settled({far, near}, {mate}, {100, 0}, options));         // of several best anchors any
  CHECK_FALSE(settled({far, worse}, {mate}, {100, 0}, options));  // next to a worse anchor only
  CHECK_FALSE(settled({far}, {mate}, {100, 0}, options));
  CHECK_FALSE(settled({near}, {}, {100, 0}, options));
  CHECK_FALSE(settled({}, {mate}, {100, 0}, options));
  CHECK_FALSE(settled({near}, {mate}, {100, 30}, options));                    // frequent seeds were sampled
  CHECK_FALSE(settled({near}, {at(1250, 100, true, 80)}, {100, 0}, options));  // four mismatches: seeds of 16 bases
  CHECK(settled({near}, {at(1250, 100, true, 85)}, {100, 0}, options));        // three: seeds of 20
  Alignment tied = mate;
  tied.second_score = tied.score;
  CHECK_FALSE(settled({near}, {tied}, {100, 0}, options));
  Alignment on_alt = mate;
  on_alt.alt = true;
  CHECK_FALSE(settled({near}, {on_alt}, {100, 0}, options));
  AlignOptions all = options, none = options;
  all.report_all = true, none.rival_edits = 0;
  CHECK_FALSE(settled({near}, {mate}, {100, 0}, all));
  CHECK_FALSE(settled({near}, {mate}, {100, 0}, none));
}

TEST_CASE("of pairs with the same score the one with the likelier distance is chosen, whatever the tie break",
          "[align][pairing]") {
  const InsertSizeDistributions distributions = given_insert_sizes(350, 30, 0, 0, Scoring{});
  const std::vector<std::int32_t>& scores = distributions[Orientation::fr].scores;
  const auto score_at = [&](std::int64_t bases) {
    return scores[static_cast<std::size_t>(bases - distributions[Orientation::fr].low)];
  };
  for (const std::int64_t bases : {250, 320, 335, 349, 350, 351, 370, 400, 460}) {
    const double tail = 2 * std::erfc(std::abs(static_cast<double>(bases) - 350) / 30 / std::sqrt(2.0));
    CHECK(std::abs(score_at(bases) - units_per_point * std::log(tail) / std::log(4.0)) < 0.6);
  }
  REQUIRE(points_of(score_at(350)) == points_of(score_at(360)));  // so points do not decide
  REQUIRE(points_of(score_at(350)) == points_of(score_at(338)));
  for (std::uint64_t number = 0; number < 64; ++number) {
    Alignment a[] = {at(1000, 100, false, 100)};
    Alignment b[] = {at(1000 + 238, 100, true, 100), at(1000 + 250, 100, true, 100), at(1000 + 260, 100, true, 100)};
    const PairChoice choice = choose_pair({{a, 1, 100}, {b, 3, 100}, number}, distributions.view(), Scoring{});
    REQUIRE(choice.second == 1);
    REQUIRE(choice.competitors == 2 * one_competitor);  // still counted as equally good: a few bases give no certainty
  }
}

TEST_CASE("tied alignments come first equally often, in whatever order they are found", "[align][rank]") {
  std::vector<Alignment> found;
  for (GenomePos i = 0; i < 5; ++i) found.push_back(at(100 + 1000 * i, 100, i % 2 == 1, 95));
  found.push_back(at(9000, 100, false, 95));
  found.back().clip_penalty = 5;  // equal except for its ends
  found.push_back(at(12000, 100, true, 90));
  std::mt19937 rng(3);
  std::map<GenomePos, int> first;
  for (std::uint64_t number = 0; number < 5000; ++number) {
    GenomePos drawn[2];
    for (GenomePos& place : drawn) {
      std::shuffle(found.begin(), found.end(), rng);
      std::vector<Alignment> ranked = found;
      for (Alignment& one : ranked) one.tie = tie_hash(one, number);
      REQUIRE(rank_alignments(ranked.data(), 7, number) == 7);
      REQUIRE(ranked[5].clip_penalty == 5);
      REQUIRE(ranked[6].score == 90);
      place = ranked[0].genome_begin;
    }
    REQUIRE(drawn[0] == drawn[1]);
    ++first[drawn[0]];
  }
  REQUIRE(first.size() == 5);
  for (const auto& [place, count] : first) CHECK(std::abs(count - 1000) < 120);  // four standard deviations
}

TEST_CASE("competitors share read bases, and splits do not", "[align][rank]") {
  Alignment alignments[] = {at(100, 100, false, 100), at(5000, 100, false, 95), at(9000, 100, false, 40)};
  alignments[2].query_begin = 100, alignments[2].query_end = 200;  // the read's other half
  mark_competitors(alignments, 3, 200, Scoring{});
  CHECK(alignments[0].secondary_to == no_alignment);
  CHECK(alignments[0].second_score == 95);
  CHECK(alignments[0].second_count == 1);
  CHECK(alignments[1].secondary_to == 0);
  CHECK(alignments[2].secondary_to == no_alignment);
}

TEST_CASE("the probabilities of competitors add up", "[align][mapq]") {
  const auto phred = [](Fixed quality) { return static_cast<double>(quality) / fixed_one; };
  // By the formula of share/doc/mapq.md, in floating point.
  const auto expected = [](double probability) {
    const double sum = -10 * std::log10(probability);
    return sum <= 24 ? sum : 24 + 0.365 * (sum - 24);
  };
  const auto probability = [](std::int32_t points) { return std::pow(10, -0.48 * points); };
  for (std::int32_t points = 0; points <= 24; ++points) {
    CHECK(std::abs(phred(quality_of_difference(points)) - expected(probability(points))) < 1e-3);
    for (const unsigned count : {1, 7, 1000}) {
      const double want = expected(count * probability(points));
      CHECK(std::abs(phred(quality_of_competitors(count * competitor_probability(points))) - want) < 0.3);
    }
    for (const std::int32_t farther : {points + 1, points + 5}) {
      const double want = expected(probability(points) + probability(farther));
      CHECK(std::abs(phred(quality_of_competitors(competitor_probability(points) + competitor_probability(farther))) -
                     want) < 0.3);
    }
  }
  for (const std::int32_t points : {30, 1000, 1 << 20}) {
    CHECK(clamp_mapq(quality_of_difference(points)) == max_mapq);
    CHECK(clamp_mapq(quality_of_competitors(competitor_probability(points))) == max_mapq);
  }
}

TEST_CASE("a pair's quality is limited by its competitors and the mates' best alignments", "[align][mapq]") {
  const ReadTraits read = {100, 0};
  PairChoice pair;
  pair.score = 200;
  const auto mapq = [&](std::int32_t unpaired_score, const Scoring& scoring) {
    return pair_mapq(pair, unpaired_score, read, read, scoring);
  };
  Scoring scoring;
  CHECK(mapq(183, scoring) == 60);  // both mates' best alignments, at the best distance
  CHECK(mapq(190, scoring) == 35);  // ten of the seventeen points
  CHECK(mapq(199, scoring) == 4);
  pair.competitors = competitor_probability(5);
  CHECK(mapq(183, scoring) == 24);
  CHECK(mapq(198, scoring) == 7);
  pair.competitors *= 2;
  CHECK(mapq(183, scoring) == 21);
  CHECK(pair_mapq(pair, 183, read, {100, 100}, scoring) == 10);  // one mate is all repetitive
  pair.competitors = 0;
  scoring.unpaired = 0;
  CHECK(mapq(199, scoring) == 60);
}

TEST_CASE("mapping quality falls with competitors and rises with score", "[align][mapq]") {
  const AlignOptions options;
  const ReadTraits read = {150, 0};
  Alignment alone = at(0, 150, false, 150);
  CHECK(single_mapq(alone, read, options) == 60);
  alone.second_score = 150;
  CHECK(single_mapq(alone, read, options) == 0);
  int before = 61;
  for (const int competitor : {100, 140, 145, 149, 150}) {
    alone.second_score = competitor;
    const int quality = single_mapq(alone, read, options);
    CHECK(quality <= before);
    before = quality;
  }
  for (const int difference : {15, 20, 25}) {  // however short: limited only by one competitor found
    Alignment shortest = at(0, 50, false, 50);
    shortest.second_score = 50 - difference;
    CHECK(single_mapq(shortest, {50, 0}, options) == std::lround(24 + 0.365 * 4.8 * (difference - 5)));
  }
  alone.second_score = 0;
  CHECK(single_mapq(alone, {150, 75}, options) == 30);
}

TEST_CASE("a mate's window holds exactly the positions of proper pairs", "[align][pairing]") {
  std::vector<std::int32_t> scores(301, 0);
  const InsertSizeRange range = {200, 500, scores.data()};
  const GenomeRange contig = {1000, 9000};
  for (const bool reverse : {false, true}) {
    const Alignment anchor = at(4000, 100, reverse, 100);
    for (unsigned o = 0; o < orientation_count; ++o) {
      const auto seen = static_cast<Orientation>(o);
      const GenomeRange window = mate_window(anchor, 100, 80, seen, range, contig);
      GenomePos first = contig.end, last = 0;
      for (GenomePos begin = contig.begin; begin + 80 <= contig.end; ++begin) {
        const Alignment mate = at(begin, 80, reverse != on_opposite_strands(seen), 80);
        const MateDistance distance = mate_distance(anchor, 100, mate, 80);
        if (distance.seen != seen || !range.holds(distance.bases)) continue;
        first = std::min(first, begin), last = begin + 80;
      }
      CHECK(window.begin == first);
      CHECK(window.end == last);
    }
  }
}

TEST_CASE("fixed-point logarithms equal the logarithms", "[align][mapq]") {
  for (std::uint32_t x = 1; x < 100000; x += 1 + x / 50) {
    CHECK(static_cast<double>(log2_fixed(x)) / fixed_one == Approx(std::log2(x)).margin(2.0 / fixed_one));
  }
  CHECK(log2_fixed(0xFFFFFFFFU) == Approx(32.0 * fixed_one).margin(2));
  std::mt19937_64 rng(1);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const std::uint64_t x = rng() >> (64 - bits) | std::uint64_t{1} << (bits - 1);
    CHECK(static_cast<double>(log2_fixed(x)) / fixed_one ==
          Approx(std::log2(static_cast<double>(x))).margin(2.0 / fixed_one));
  }
  CHECK(clamp_mapq(to_fixed(-3)) == 0);
  CHECK(clamp_mapq(to_fixed(12.4)) == 12);
  CHECK(clamp_mapq(to_fixed(12.6)) == 13);
  CHECK(clamp_mapq(to_fixed(99)) == 60);
  CHECK(scale_by_unique_bases(60, 75, 150) == 30);
  CHECK(scale_by_unique_bases(60, 150, 150) == 0);
}
