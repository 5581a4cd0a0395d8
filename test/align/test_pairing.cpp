// Insert sizes, pairs, mapping qualities, competitors: small cases worked out by hand.
#include <random>

#include "align/insert_model.hpp"
#include "align/mapq_core.hpp"
#include "align/pair_core.hpp"
#include "align/place_core.hpp"
#include "catch.hpp"

namespace {

using namespace warpseed;

Alignment at(GenomePos begin, std::uint32_t length, bool reverse, std::int32_t score) {
  Alignment alignment;
  alignment.genome_begin = begin, alignment.genome_end = begin + length;
  alignment.query_end = length;
  alignment.score = alignment.path_score = score;
  alignment.reverse = reverse;
  alignment.tie = begin;
  return alignment;
}

}  // namespace

TEST_CASE("insert sizes are learnt without outliers", "[align][pairing]") {
  std::mt19937 rng(11);
  std::normal_distribution<double> normal(400, 40);
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < 20000; ++i) sizes.push_back(static_cast<std::int64_t>(normal(rng)));
  for (int i = 0; i < 400; ++i) sizes.push_back(static_cast<std::int64_t>(5000 + rng() % 5000));
  const InsertModel model = learn_inserts(sizes);
  REQUIRE(model.known);
  CHECK(model.mean == Approx(400).margin(2));
  CHECK(model.deviation == Approx(40).margin(4));
  CHECK(model.low < 260);
  CHECK(model.high > 540);
  CHECK(model.high < 900);
  std::vector<std::int64_t> few(24, 300);
  CHECK_FALSE(learn_inserts(few).known);
  std::vector<std::int64_t> equal(100, 300);
  CHECK(learn_inserts(equal).mean == Approx(300));
}

TEST_CASE("mates face each other, from outer end to outer end", "[align][pairing]") {
  const Alignment left = at(1000, 100, false, 100), right = at(1250, 100, true, 100);
  CHECK(insert_size(left, 100, right, 100) == 350);
  CHECK(insert_size(right, 100, left, 100) == 350);
  CHECK(insert_size(left, 100, at(1250, 100, false, 100), 100) == -1);
  CHECK(insert_size(at(1250, 100, false, 100), 100, at(500, 100, true, 100), 100) == -1);
  Alignment clipped = at(1010, 90, false, 90);  // ten bases clipped off the front
  clipped.query_begin = 10, clipped.query_end = 100;
  CHECK(insert_size(clipped, 100, right, 100) == 350);
}

TEST_CASE("the pair at the usual distance wins over equal single scores", "[align][pairing]") {
  InsertModel model = given_inserts(350, 30, 0, 0);
  const Alignment a[] = {at(1000, 100, false, 100), at(900000, 100, false, 100)};
  const Alignment b[] = {at(500000, 100, true, 100), at(900240, 100, true, 95)};
  const Scoring scoring;
  const PairChoice choice = choose_pair(a, 2, 100, b, 2, 100, model, scoring);
  CHECK(choice.first == 1);
  CHECK(choice.second == 1);
  CHECK(choice.second_score == 0);
  CHECK(choice.score > 190);
  CHECK(choice.score <= 196);  // a perfect distance adds ln(2) in units of score
}

TEST_CASE("competitors share read bases, and splits do not", "[align][rank]") {
  Alignment alignments[] = {at(100, 100, false, 100), at(5000, 100, false, 95), at(9000, 100, false, 40)};
  alignments[2].query_begin = 100, alignments[2].query_end = 200;  // the read's other half
  mark_competitors(alignments, 3, 200, Scoring{});
  CHECK(alignments[0].competes_with == nobody);
  CHECK(alignments[0].second_score == 95);
  CHECK(alignments[0].second_count == 1);
  CHECK(alignments[1].competes_with == 0);
  CHECK(alignments[2].competes_with == nobody);
}

TEST_CASE("mapping quality falls with rivals and rises with score", "[align][mapq]") {
  const AlignOptions options;
  const ReadTraits read = {150, 0};
  Alignment alone = at(0, 150, false, 150);
  CHECK(single_mapq(alone, read, options) == 60);
  alone.second_score = 150;
  CHECK(single_mapq(alone, read, options) == 0);
  int before = 61;
  for (const int rival : {100, 140, 145, 149, 150}) {
    alone.second_score = rival;
    const int quality = single_mapq(alone, read, options);
    CHECK(quality <= before);
    before = quality;
  }
  alone.second_score = 0;
  CHECK(single_mapq(alone, {150, 0.5F}, options) == 30);
}
