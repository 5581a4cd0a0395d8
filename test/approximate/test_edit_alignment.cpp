#include "approximate/occurrence.hpp"
#include "approximate/verify_core.hpp"
#include "catch.hpp"
#include "search_helpers.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace approximate;

namespace {

/// A pattern as the searches see it.
struct PreparedPattern {
  SearchPlanner planner;
  StrandBatch batch;
  PatternWithWords pattern;

  PreparedPattern(const std::string& bases, const SearchOptions& options)
      : planner({1000, 3}, options), batch(prepare(test::batch_of({bases}), planner, 1)), pattern(batch, 0) {}
  PatternView view() const { return pattern.view(); }
  PartsView parts() const { return batch.view().parts_of(0); }
};

/// A text without N and a pattern like a piece of it.
struct Case {
  std::string text, pattern;
  text::Genome genome;

  Case(const SearchOptions& options, std::size_t longest, std::mt19937& rng)
      : text(test::random_bases(1 + rng() % 300, 1 + rng() % 4, rng)), genome(test::genome_of({text})) {
    while (pattern.size() <= options.differences) {
      pattern = test::edited(text.substr(rng() % text.size(), 1 + rng() % longest), rng() % (options.differences + 2),
                             options.metric, rng);
      if (rng() % 4 == 0) pattern = test::random_bases(options.differences + 1 + rng() % 9, 4, rng);
      if (rng() % 4 == 0) pattern = test::blurred(pattern, 3, rng);
    }
  }
};

template <unsigned K>
void check_verified(const Case& at, const PreparedPattern& prepared, const Part& part, std::uint64_t anchor,
                    std::int32_t automaton_columns) {
  const std::string before = test::reversed(at.pattern.substr(0, part.end)), after = at.pattern.substr(part.end);
  const std::string left = test::reversed(at.text.substr(0, anchor)), right = at.text.substr(anchor);
  const auto edits_left = test::edit_table(before, left, false).back();
  const auto edits_right = test::edit_table(after, right, false).back();
  const std::uint32_t fewest = *std::min_element(edits_left.begin(), edits_left.end());
  std::vector<test::OracleEnd> expected, found;
  for (std::uint64_t end = anchor; end <= at.text.size(); ++end) {
    const std::uint32_t edits = fewest + edits_right[end - anchor];
    if (edits <= K) expected.push_back({end, edits});
  }
  const EditStates<K> states = EditStates<K>::start(prepared.view().leftward(part.end), EditBudget::of(part));
  verify_edits(at.genome.view().text, prepared.view(),
               EditLeaf<K>{part, {}, states, 0, automaton_columns, automaton_columns}, anchor, 0, at.text.size(), K,
               [&](TextPos end, std::uint32_t edits) {
                 found.push_back({end, edits});
               });
  std::ranges::sort(found, {}, &test::OracleEnd::end);
  REQUIRE((found == expected));
}

/// Verifies every point of some cases, with parts that allow all differences.
template <unsigned K>
void check_verify_edits(unsigned seed) {
  std::mt19937 rng(seed);
  for (int i = 0; i < 12; ++i) {
    const Case at({Metric::edits, K, Strands::forward}, 90, rng);
    const PreparedPattern prepared(at.pattern, {Metric::edits, K, Strands::forward});
    const auto end = static_cast<std::uint32_t>(1 + rng() % at.pattern.size());
    const Part part = {static_cast<std::uint32_t>(rng() % end), end, K, K};
    for (std::uint64_t anchor = 0; anchor <= at.text.size(); ++anchor) {
      CAPTURE(K, seed, at.text, at.pattern, part.begin, part.end, anchor);
      for (const std::int32_t columns : {0, 1, 16}) check_verified<K>(at, prepared, part, anchor, columns);
    }
  }
}

}  // namespace

TEST_CASE("the best of overlapping alignments of each segment is kept", "[approximate]") {
  constexpr unsigned seed = 12;
  std::mt19937 rng(seed);
  for (int i = 0; i < 2000; ++i) {
    const auto differences = static_cast<std::uint32_t>(rng() % (max_differences + 1));
    test::Contigs contigs;
    std::vector<AlignmentEnd> ends, expected;
    TextPos begin = 0;
    for (std::uint64_t contig = 0; contig < 1 + rng() % 5; ++contig) {
      contigs.push_back(test::random_bases(1 + rng() % 40, 4, rng));
      std::vector<test::OracleEnd> candidates;
      for (TextPos end = begin + 1; end <= begin + contigs.back().size(); ++end) {
        if (rng() % 3 != 0) candidates.push_back({end, static_cast<std::uint32_t>(rng() % (differences + 1))});
      }
      for (const test::OracleEnd& end : candidates) ends.push_back({end.end, end.differences});
      for (const test::OracleEnd& end : test::thinned(candidates, differences)) {
        expected.push_back({end.end, end.differences});
      }
      begin += contigs.back().size() + 1;  // and a separator
    }
    CAPTURE(seed, i, differences);
    const text::Genome genome = test::genome_of(contigs);
    keep_local_best(genome.view(), ends, differences);
    REQUIRE((ends == expected));
  }
}

TEST_CASE("alignments to an end have the fewest edits and their gaps at the left", "[approximate]") {
  constexpr unsigned seed = 99;
  std::mt19937 rng(seed);
  for (int i = 0; i < 400; ++i) {
    const auto differences = static_cast<std::uint32_t>(rng() % (max_differences + 1));
    const Case at({Metric::edits, differences, Strands::forward}, 200, rng);
    const PreparedPattern prepared(at.pattern, {Metric::edits, differences, Strands::forward});
    const auto edits = test::edit_table(at.pattern, at.text, true).back();
    const text::PackedView text = at.genome.view().text;
    for (std::uint64_t end = 1; end <= at.text.size(); end += 1 + rng() % 9) {
      CAPTURE(seed, i, differences, at.text, at.pattern, end);
      if (edits[end] > differences) {
        CHECK_THROWS_AS(align_to_end(text, prepared.view(), end, 0, differences), InputError);
        continue;
      }
      for (const unsigned most : {edits[end], differences}) {
        const Alignment alignment = align_to_end(text, prepared.view(), end, 0, most);
        REQUIRE(alignment.end == end);
        REQUIRE(alignment.begin == test::best_begin(at.pattern, at.text, {end, edits[end]}));
        const std::string aligned = at.text.substr(alignment.begin, end - alignment.begin);
        CAPTURE(alignment.operations);
        REQUIRE(test::fault_of(alignment.operations, at.pattern, aligned) == "");
      }
    }
  }
}

TEST_CASE("chosen alignments of small examples", "[approximate]") {
  const text::Genome genome = test::genome_of({"ACGGTTTTTACC"});
  const auto align = [&](const std::string& pattern, TextPos begin, unsigned differences) {
    const PreparedPattern prepared(pattern, {Metric::edits, differences, Strands::forward});
    const Alignment found = align_to_end(genome.view().text, prepared.view(), 12, begin, differences);
    return std::to_string(found.begin) + ":" + found.operations;
  };
  CHECK(align("ACGGTTTTTACC", 0, 0) == "0:============");
  CHECK(align("ACGGTTTTACC", 0, 1) == "0:====D=======");     // the pattern lacks the first of five T
  CHECK(align("ACGGTTTTTTACC", 0, 1) == "0:====I========");  // the text lacks the first of six T
  CHECK(align("ACGGTTCTTACC", 0, 1) == "0:======X=====");
  CHECK(align("CTTACC", 0, 1) == "6:X=====");        // as long as the pattern, rather than shorter
  CHECK(align("GTTTTTACC", 4, 1) == "4:I========");  // no further than the segment's begin
  CHECK_THROWS_AS(align("GGGGG", 0, 2), InputError);
}

TEST_CASE("alignments without gaps and their CIGARs", "[approximate]") {
  const text::Genome genome = test::genome_of({"GGTTTTTACC"});
  const PreparedPattern prepared("RTWGT", {Metric::mismatches, 1, Strands::forward});
  const Alignment found = align_ungapped(genome.view().text, prepared.view(), 6);
  CHECK(found.begin == 1);
  CHECK(found.end == 6);
  CHECK(found.operations == "===X=");
  CHECK(cigar_of(found.operations, false) == "3=1X1=");
  CHECK(cigar_of(found.operations, true) == "1=1X3=");
  CHECK(cigar_of("==I=DDX", false) == "2=1I1=2D1X");
  CHECK(cigar_of("==I=DDX", true) == "1X2D1=1I2=");
  CHECK(cigar_of(std::string(1234, '='), true) == "1234=");
  CHECK(cigar_of("", false) == "");
}

TEST_CASE("mismatches are counted, and one part of a pattern reports them", "[approximate]") {
  constexpr unsigned seed = 33;
  std::mt19937 rng(seed);
  for (int i = 0; i < 300; ++i) {
    const auto differences = static_cast<std::uint32_t>(rng() % (max_differences + 1));
    const Case at({Metric::mismatches, differences, Strands::forward}, 200, rng);
    const PreparedPattern prepared(at.pattern, {Metric::mismatches, differences, Strands::forward});
    const PartsView parts = prepared.parts();
    for (std::uint64_t start = 0; start + at.pattern.size() <= at.text.size(); ++start) {
      std::uint32_t expected = 0, reports = 0;
      for (std::size_t j = 0; j < at.pattern.size(); ++j) expected += !test::can_be(at.pattern[j], at.text[start + j]);
      CAPTURE(seed, i, at.pattern, at.text, start, expected);
      for (std::uint32_t part = 0; part < parts.count; ++part) {
        const std::uint32_t counted =
            count_mismatches(at.genome.view().text, prepared.view(), parts, part, start, differences);
        REQUIRE((counted == differences + 1 || counted == expected));
        reports += counted <= differences;
      }
      REQUIRE(reports == (expected <= differences ? 1 : 0));
    }
  }
}

TEST_CASE("verified alignments through a point have the fewest edits", "[approximate]") {
  check_verify_edits<0>(50);
  check_verify_edits<1>(51);
  check_verify_edits<3>(53);
  check_verify_edits<8>(58);
}

}  // namespace warpseed
