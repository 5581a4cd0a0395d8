// Counts by library, and the estimate of a library's size.
#include "records/library_duplicates.hpp"

#include <htslib/sam.h>

#include <cmath>
#include <random>
#include <set>

#include "catch.hpp"
#include "records/alignment_record.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::Read;

namespace {

/// A record of a read group; an empty one has no tag.
BamRecord record_of(const std::string& group, std::uint16_t flag) {
  AlignmentRecord record;
  record.flag = flag;
  const Read read("r", "", "ACGT", "IIII");
  return {record, read.view(), group, false};
}

std::vector<std::string> names_of(const DuplicateSummary& summary) {
  std::vector<std::string> names;
  for (const LibraryDuplicates& library : summary.libraries) names.push_back(library.library);
  return names;
}

}  // namespace

TEST_CASE("the estimate is the library that fragments were drawn from", "[records][duplicates]") {
  const unsigned seed = 5;
  CAPTURE(seed);
  std::mt19937_64 rng(seed);
  for (const std::uint64_t fragments : {20'000ULL, 50'000ULL}) {
    for (const double coverage : {0.2, 1.0, 3.0}) {
      const auto pairs = static_cast<std::uint64_t>(coverage * static_cast<double>(fragments));
      std::set<std::uint64_t> drawn;
      for (std::uint64_t i = 0; i < pairs; ++i) drawn.insert(rng() % fragments);
      const auto found = estimate_library_size(pairs, drawn.size());
      REQUIRE(found);
      CAPTURE(fragments, pairs, drawn.size(), *found);
      CHECK(std::abs(static_cast<double>(*found) / static_cast<double>(fragments) - 1) < 0.15);
    }
  }
}

TEST_CASE("the estimate solves its equation, also at its limits", "[records][duplicates]") {
  for (const auto& [pairs, distinct] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {2, 1}, {10, 1}, {10, 9}, {1000000, 1}, {1000000, 999999}, {3000000000, 2999999999}, {3000000000, 7}}) {
    const auto found = estimate_library_size(pairs, distinct);
    REQUIRE(found);
    CAPTURE(pairs, distinct, *found);
    const auto expected = [n = static_cast<long double>(pairs)](std::uint64_t size) {
      return size == 0 ? 0 : static_cast<long double>(size) * -std::expm1(-n / static_cast<long double>(size));
    };
    const auto tolerance = 1e-9L * static_cast<long double>(distinct);  // of a whole number of fragments
    CHECK(expected(*found) <= static_cast<long double>(distinct) + tolerance);
    CHECK(expected(*found + 1 + *found / 100000) >= static_cast<long double>(distinct) - tolerance);
  }
  CHECK_FALSE(estimate_library_size(0, 0));
  CHECK_FALSE(estimate_library_size(10, 10));
  CHECK_FALSE(estimate_library_size(10, 0));
}

TEST_CASE("records are counted in the library of their read group", "[records][duplicates]") {
  const LibraryTable table({"@RG\tID:a\tLB:x\tSM:s", "@RG\tID:b\tLB:y", "@RG\tID:c\tLB:x", "@RG\tID:d"});
  auto counts = table.empty_counts();
  for (const auto& [group, flag] : std::vector<std::pair<std::string, unsigned>>{{"a", BAM_FPAIRED},
                                                                                 {"c", BAM_FPAIRED | BAM_FDUP},
                                                                                 {"a", BAM_FPAIRED | BAM_FMUNMAP},
                                                                                 {"a", BAM_FPAIRED | BAM_FUNMAP},
                                                                                 {"b", BAM_FDUP},
                                                                                 {"b", BAM_FSUPPLEMENTARY | BAM_FDUP},
                                                                                 {"b", BAM_FSECONDARY},
                                                                                 {"b", BAM_FQCFAIL},
                                                                                 {"d", 0},
                                                                                 {"other", 0},
                                                                                 {"", 0}}) {
    const BamRecord record = record_of(group, static_cast<std::uint16_t>(flag));
    counts[table.of(record.get())].count(record.get()->core.flag);
  }
  const DuplicateSummary summary = table.summary(counts);
  REQUIRE(names_of(summary) == std::vector<std::string>{"x", "y", "Unknown Library"});
  const LibraryDuplicates &x = summary.libraries[0], &y = summary.libraries[1], &unknown = summary.libraries[2];
  CHECK(x.pairs() == 1);
  CHECK(x.compared.of_pairs_marked == 1);
  CHECK(x.pair_duplicates() == 0);  // one mate alone is not a pair
  CHECK(x.compared.single == 1);
  CHECK(x.unmapped == 1);
  CHECK(y.compared.single == 1);
  CHECK(y.compared.single_marked == 1);
  CHECK(y.non_primary == 2);
  CHECK(y.qc_failed == 1);
  CHECK(unknown.compared.single == 3);
  CHECK(summary.all.compared() == 7);
  CHECK(summary.all.marked() == 2);
}

TEST_CASE("without libraries all records are of the unknown one", "[records][duplicates]") {
  const LibraryTable table({"@RG\tID:a", "@RG\tID:b"});
  CHECK(table.empty_counts().size() == 1);
  for (const std::string group : {"a", "other", ""}) CHECK(table.of(record_of(group, 0).get()) == 0);
}

TEST_CASE("the unknown library is listed where something is of it", "[records][duplicates]") {
  using Names = std::vector<std::string>;
  const auto listed = [](const std::vector<std::string>& lines) {
    const LibraryTable table(lines);
    return names_of(table.summary(table.empty_counts()));
  };
  CHECK(listed({}) == Names{"Unknown Library"});
  CHECK(listed({"@RG\tID:a\tLB:x"}) == Names{"x"});
  CHECK(listed({"@RG\tID:a", "@RG\tID:b\tLB:x"}) == Names{"Unknown Library", "x"});
  CHECK(listed({"@RG\tID:b\tLB:Unknown Library"}) == Names{"Unknown Library"});
}
