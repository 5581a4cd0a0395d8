#include "approximate/exact_patterns.hpp"

#include "approximate/pattern_core.hpp"
#include "catch.hpp"
#include "index/fm_index.hpp"
#include "oracle.hpp"
#include "text/alphabet.hpp"

namespace warpseed {

using namespace approximate;

namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// Does `bases` begin with the pattern, whose N is any base and whose R is A or G?
bool begins_with(std::string_view bases, const std::string& pattern) {
  if (bases.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char base = bases[i];
    const bool matches = pattern[i] == 'N'   ? base != 'N'
                         : pattern[i] == 'R' ? base == 'A' || base == 'G'
                                             : base == pattern[i];
    if (!matches) return false;
  }
  return true;
}

/// Text positions of a single contig's forward strand.
std::vector<TextPos> positions_in(const std::string& contig, const std::string& pattern) {
  std::vector<TextPos> positions;
  for (std::size_t i = 0; !pattern.empty() && i < contig.size(); ++i) {
    if (begins_with(std::string_view(contig).substr(i), pattern)) positions.push_back(i);
  }
  return positions;
}

}  // namespace

TEST_CASE("patterns of IUPAC codes are found with plain ones, in the order of the batch", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 5;
  CAPTURE(to_string(backend), seed);
  std::mt19937 rng(seed);
  const std::string contig = test::random_bases(3000, 4, rng);
  const text::Genome genome = test::genome_of({contig});
  const index::FmIndex index = index::build_fm_index(genome.view(), Backend{});
  ExactPatterns search({genome.view(), index.view()}, backend, Strands::forward);
  std::vector<std::string> patterns = {"", "N", "ACG", "RNR", "ACGTACGTACGTACGT", "GNNNA"};
  for (int i = 0; i < 50; ++i) {
    patterns.push_back(test::random_bases(2 + rng() % 4, i % 2 == 0 ? 4 : 5, rng));
    if (i % 3 == 0) patterns.back() += "R";
  }
  SetBatch batch;
  for (const std::string& pattern : patterns) batch.add_iupac(pattern);
  search.find(batch);
  const auto counts = search.counts();
  const index::OccurrenceBatch found = search.locate(0, patterns.size(), no_limit);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(patterns[i]);
    std::vector<TextPos> positions;
    for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
      positions.push_back(found.hits[at].position());
      REQUIRE_FALSE(found.hits[at].reverse());
    }
    const bool same = positions == positions_in(contig, patterns[i]);
    REQUIRE(same);
    REQUIRE(counts[i].forward == positions.size());
    REQUIRE(counts[i].reverse == 0);
  }
}

TEST_CASE("part of a batch is located, and the first hits of patterns with IUPAC codes", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  CAPTURE(to_string(backend));
  const text::Genome genome = test::genome_of({"ACACACTC"});
  const index::FmIndex index = index::build_fm_index(genome.view(), Backend{});
  ExactPatterns search({genome.view(), index.view()}, backend, Strands::forward);
  SetBatch batch;
  for (const char* pattern : {"TC", "NC", "ACT"}) batch.add_iupac(pattern);
  search.find(batch);
  const index::OccurrenceBatch found = search.locate(1, 3, 2);
  CHECK(found.offsets == std::vector<std::uint64_t>{0, 2, 3});
  CHECK(found.hits == std::vector<index::Occurrence>{{0, false}, {2, false}, {4, false}});

  SetBatch other;
  other.add_iupac("AC");
  search.find(other);
  CHECK(search.counts().size() == 1);
  CHECK(search.counts()[0].total() == 3);
}

TEST_CASE("the bases of a pattern that are to match are those at its ends", "[approximate]") {
  PatternView pattern;
  pattern.length = 70, pattern.exact_left = 2, pattern.exact_right = 5;
  for (std::uint32_t position = 0; position < pattern.length; ++position) {
    CAPTURE(position);
    const bool exact = position < 2 || position >= 65;
    CHECK(pattern.is_exact(position) == exact);
    const std::uint64_t bits = pattern.exact_bits(position / 32) >> (62 - 2 * (position % 32)) & 3;
    CHECK(bits == (exact ? 3 : 0));
  }
}

}  // namespace warpseed
