#include "overlap/region_format.hpp"

#include <iomanip>
#include <sstream>

#include "catch.hpp"
#include "overlap/region_helpers.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::overlap;

namespace {

// Lengths of one to eleven digits, so that some exceed the column width.
const text::SequenceList targets =
    test::sequences_of("chr", {1, 99'999'999, 12'345'678'901, 1000, 20'000, 100'000'000});
const text::SequenceList queries = test::sequences_of("q", {30'000'000'000, 7, 10, 10'000, 123'456});

/// The same line, formatted with streams.
std::string line_of(const CommonRegion& r, RegionFormatKind kind) {
  const text::SequenceInfo& t = targets.sequences[r.target];
  const text::SequenceInfo& q = queries.sequences[r.query];
  const char strand = "+-"[r.reverse];
  std::ostringstream out;
  if (kind == RegionFormatKind::tsv) {
    out << t.name << '\t' << r.target_begin << '\t' << r.target_begin + r.length << '\t' << q.name << '\t'
        << r.query_begin << '\t' << r.query_begin + r.length << '\t' << strand << '\t' << r.length;
  } else if (kind == RegionFormatKind::bed) {
    out << t.name << '\t' << r.target_begin << '\t' << r.target_begin + r.length << '\t' << q.name << ':'
        << r.query_begin << '-' << r.query_begin + r.length << '\t' << (r.length < 1000 ? r.length : 1000) << '\t'
        << strand;
  } else if (kind == RegionFormatKind::bed_query) {
    out << q.name << '\t' << r.query_begin << '\t' << r.query_begin + r.length << '\t' << t.name << ':'
        << r.target_begin << '-' << r.target_begin + r.length << '\t' << (r.length < 1000 ? r.length : 1000) << '\t'
        << strand;
  } else if (kind == RegionFormatKind::paf) {
    out << q.name << '\t' << q.length << '\t' << r.query_begin << '\t' << r.query_begin + r.length << '\t' << strand
        << '\t' << t.name << '\t' << t.length << '\t' << r.target_begin << '\t' << r.target_begin + r.length << '\t'
        << r.length << '\t' << r.length << "\t255\tNM:i:0\tcg:Z:" << r.length << '=';
  } else {  // chr____4 is the longest name
    const std::uint64_t place = r.reverse ? r.query_begin + r.length : r.query_begin + 1;
    out << "  " << std::left << std::setw(8) << t.name << std::right << "  " << std::setw(8) << r.target_begin + 1
        << "  " << std::setw(8) << place << "  " << std::setw(8) << r.length;
  }
  return out.str();
}

RegionLabel label_of(std::uint64_t coding, std::uint64_t intronic, std::uint64_t intergenic) {
  RegionLabel label;
  label.coding = coding;
  label.intronic = intronic;
  label.intergenic = intergenic;
  return label;
}

}  // namespace

TEST_CASE("region lines equal those formatted with streams", "[overlap][region_format]") {
  const std::string name = GENERATE("tsv", "bed", "bed-query", "paf", "mums");
  const std::size_t count = GENERATE(0U, 1U, 63U, 64U, 65U, 1000U);
  std::mt19937_64 rng(7 + count);
  const auto regions = test::random_regions(count, targets, queries, rng);
  CAPTURE(name, count);

  const RegionFormatKind kind = region_format_kind(name);
  std::string out = "kept\n", expected = "kept\n";
  RegionFormat(kind, targets, queries).append(regions, out);
  for (const CommonRegion& region : regions) expected += line_of(region, kind) + '\n';
  CHECK(out == expected);
}

TEST_CASE("the largest numbers fit", "[overlap][region_format]") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  text::SequenceList one;
  one.sequences = {{"", most, 0}};
  const std::vector<LongestRegion> regions(100, {{0, 0, most - 1, most - 1, 1, true}, most, most});
  for (const char* name : {"tsv", "bed", "bed-query", "paf", "mums"}) {
    std::string out;
    RegionFormat(region_format_kind(name), one, one, {.counts = true}).append(regions, out);
    CHECK(std::count(out.begin(), out.end(), '\n') == 100);
  }
}

TEST_CASE("names of any length fit", "[overlap][region_format]") {
  text::SequenceList long_target, long_query;
  long_target.sequences = {{std::string(4000, 't'), 1000, 0}};
  long_query.sequences = {{std::string(5000, 'q'), 1000, 0}};
  const std::vector<CommonRegion> regions(100, {0, 0, 10, 20, 30, false});
  std::string out, expected;
  RegionFormat(RegionFormatKind::tsv, long_target, long_query).append(regions, out);
  for (int i = 0; i < 100; ++i)
    expected += std::string(4000, 't') + "\t10\t40\t" + std::string(5000, 'q') + "\t20\t50\t+\t30\n";
  CHECK(out == expected);
}

TEST_CASE("headers of the formats", "[overlap][region_format]") {
  const RegionFormat tsv(RegionFormatKind::tsv, targets, queries);
  CHECK(tsv.header() == "#target\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tlength\n");
  CHECK(tsv.query_header(1, true).empty());
  const RegionFormat mums(RegionFormatKind::mums, targets, queries);
  CHECK(mums.header().empty());
  CHECK(mums.query_header(1, false) == "> q_1\n");
  CHECK(mums.query_header(1, true) == "> q_1 Reverse\n");
  CHECK(RegionFormat(RegionFormatKind::paf, targets, queries).header().empty());
  CHECK_THROWS_AS(region_format_kind("gff"), InputError);
}

TEST_CASE("counts and labels follow the region's own columns", "[overlap][region_format]") {
  const std::vector<LongestRegion> regions = {{{3, 4, 10, 20, 30, false}, 2, 5}, {{3, 3, 1, 2, 3, true}, 1, 1}};
  std::vector<RegionLabel> of_targets = {label_of(10, 15, 5), label_of(0, 0, 3)};
  std::vector<RegionLabel> of_queries = {label_of(30, 0, 0), label_of(0, 3, 0)};
  of_targets[0].genes = {"thrA", "thrB"};
  of_targets[0].gene_before = "left";
  of_targets[0].distance_before = 0;
  of_targets[1].gene_after = "right";
  of_targets[1].distance_after = 1234;

  std::string paf, tsv;
  RegionFormat(RegionFormatKind::paf, targets, queries, {.counts = true}).append(regions, paf);
  CHECK(paf.starts_with(
      "q____4\t123456\t20\t50\t+\tchr___3\t1000\t10\t40\t30\t30\t255\tNM:i:0\tcg:Z:30=\ttn:i:2\tqn:i:5\n"));

  const RegionFormat both(RegionFormatKind::tsv, targets, queries, {true, true, true});
  CHECK(both.header() ==
        "#target\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tlength\ttarget_count\tquery_count\t"
        "target_coding\ttarget_intronic\ttarget_intergenic\ttarget_genes\ttarget_gene_before\ttarget_distance_before\t"
        "target_gene_after\ttarget_distance_after\tquery_coding\tquery_intronic\tquery_intergenic\tquery_genes\t"
        "query_gene_before\tquery_distance_before\tquery_gene_after\tquery_distance_after\n");
  both.append(regions, tsv, {of_targets, of_queries});
  CHECK(tsv ==
        "chr___3\t10\t40\tq____4\t20\t50\t+\t30\t2\t5\t10\t15\t5\tthrA,thrB\tleft\t0\t.\t.\t30\t0\t0\t.\t.\t.\t.\t.\n"
        "chr___3\t1\t4\tq___3\t2\t5\t-\t3\t1\t1\t0\t0\t3\t.\t.\t.\tright\t1234\t0\t3\t0\t.\t.\t.\t.\t.\n");

  CHECK_THROWS_AS(both.append(regions, tsv, {of_targets, {}}), std::invalid_argument);
  CHECK_THROWS_AS(both.append(std::vector<CommonRegion>(2), tsv, {of_targets, of_queries}), std::invalid_argument);
  CHECK_THROWS_AS(RegionFormat(RegionFormatKind::bed, targets, queries, {false, true, false}), InputError);
}
