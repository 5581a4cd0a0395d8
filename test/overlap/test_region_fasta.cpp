#include "overlap/region_fasta.hpp"

#include <sstream>

#include "catch.hpp"
#include "oracle.hpp"
#include "overlap/region_helpers.hpp"

using namespace warpseed;
using namespace warpseed::overlap;
using namespace warpseed::text;

TEST_CASE("regions are written with the target's bases", "[overlap][region_fasta]") {
  std::mt19937_64 rng(5);
  std::mt19937 bases_rng(5);
  test::Contigs contigs;
  for (const std::size_t length : {1U, 59U, 60U, 61U, 10'000U, 3U}) {
    contigs.push_back(test::random_bases(length, length == 61 ? 5 : 4, bases_rng));  // one with N
  }
  const Genome text = test::genome_of(contigs);
  const text::SequenceList targets = test::sequences_of("t", {1, 59, 60, 61, 10'000});
  const text::SequenceList queries = test::sequences_of("q", {20'000, 70});
  auto regions = test::random_regions(300, targets, queries, rng);
  regions.push_back({4, 0, 0, 7, 10'000, true});
  regions.push_back({2, 0, 0, 0, 60, false});

  const RegionFasta fasta(text.view(), targets, queries);
  std::string out;
  fasta.append(regions, out);

  std::istringstream lines(out);
  std::string line;
  std::getline(lines, line);
  for (const CommonRegion& r : regions) {
    std::ostringstream name;
    name << '>' << targets.sequences[r.target].name << ':' << r.target_begin << '-' << r.target_begin + r.length
         << "(+) " << queries.sequences[r.query].name << ':' << r.query_begin << '-' << r.query_begin + r.length << '('
         << "+-"[r.reverse] << ')';
    REQUIRE(line == name.str());
    std::string bases;
    std::size_t last = 60;
    while (std::getline(lines, line) && line[0] != '>') {
      REQUIRE(last == 60);  // only the last line is shorter
      last = line.size();
      REQUIRE(last <= 60);
      bases += line;
    }
    REQUIRE(bases == contigs[r.target].substr(r.target_begin, r.length));
  }
  CHECK(lines.eof());
  CHECK_THROWS_AS(RegionFasta(text.view(), test::sequences_of("t", {1, 2, 3, 4, 5, 6, 7}), queries),
                  std::invalid_argument);
}
