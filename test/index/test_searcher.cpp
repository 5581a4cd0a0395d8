#include "index/searcher.hpp"

#include "catch.hpp"
#include "fm_helpers.hpp"
#include "index/exact_search.hpp"
#include "index/fm_index.hpp"
#include "oracle.hpp"

namespace warpseed {

using namespace index;
using namespace text;

namespace {

std::vector<std::uint8_t> codes_of(const std::string& bases) {
  std::vector<std::uint8_t> codes;
  for (const char letter : bases) codes.push_back(code_of_base(letter));
  return codes;
}

/// Patterns of all kinds: substrings of the text, random, with N, empty, longer than the text.
std::vector<std::string> patterns_for(const test::Contigs& contigs, std::mt19937& rng) {
  std::vector<std::string> patterns = {"", "N", "A", "ACGNT", std::string(5000, 'C')};
  for (int i = 0; i < 300; ++i) {
    const std::size_t length = rng() % 14;
    patterns.push_back(test::random_bases(length, i % 10 == 0 ? 5 : 4, rng));
    if (contigs.empty()) continue;
    const std::string& contig = contigs[rng() % contigs.size()];
    patterns.push_back(contig.substr(rng() % contig.size(), rng() % 60));
    if (i % 2 == 0) patterns.back() = test::reverse_complement(patterns.back());
  }
  return patterns;
}

PatternBatch batch_of(const std::vector<std::string>& patterns) {
  PatternBatch batch;
  for (const std::string& pattern : patterns) batch.add(codes_of(pattern));
  return batch;
}

struct Place {
  std::uint64_t contig, offset;
  bool reverse;
  auto operator<=>(const Place&) const = default;
};

std::vector<Place> expected_places(const test::Contigs& contigs, const std::string& pattern) {
  std::vector<Place> places;
  for (const auto& [contig, offset] : test::positions_of(contigs, pattern)) places.push_back({contig, offset, false});
  for (const auto& [contig, offset] : test::positions_of(contigs, test::reverse_complement(pattern))) {
    places.push_back({contig, offset, true});
  }
  std::sort(places.begin(), places.end());
  return places;
}

Place place_of(const GenomeView& genome, Occurrence hit) {
  const GenomePos at = to_genome(genome, hit.position());
  const std::uint64_t contig = contig_at(genome, at);
  return {contig, at - genome.contig_begins[contig], hit.reverse()};
}

}  // namespace

TEST_CASE("exact search agrees with a scan of the text", "[index][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20240607;
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    CAPTURE(to_string(backend), text.name, seed);
    std::mt19937 rng(seed);
    const auto patterns = patterns_for(text.contigs, rng);
    const Genome genome = test::genome_of(text.contigs);
    const FmIndex index = build_fm_index(genome.view(), Backend{});
    ExactSearch search(index.view(), backend, Strands::both);
    const auto rows = search.find(batch_of(patterns));
    const OccurrenceBatch found = search.locate(rows, ~std::uint64_t{0});
    REQUIRE(found.offsets.size() == patterns.size() + 1);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      CAPTURE(patterns[i]);
      std::vector<Place> places;
      for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
        places.push_back(place_of(genome.view(), found.hits[at]));
      }
      const bool same = places == expected_places(text.contigs, patterns[i]);
      REQUIRE(same);
      REQUIRE(rows[i].count() == places.size());
    }
  }
}

TEST_CASE("strands can be searched separately, and hits are limited in row order", "[index][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  CAPTURE(to_string(backend));
  const Genome genome = test::genome_of({"AACAACAAC", "GTTGTT"});
  const FmIndex index = build_fm_index(genome.view(), Backend{});
  const PatternBatch patterns = batch_of({"AAC", "GAATTC"});
  const auto count = [&](Strands strands) {
    return ExactSearch(index.view(), backend, strands).find(patterns)[0].count();
  };
  CHECK(count(Strands::both) == 5);
  CHECK(count(Strands::forward) == 3);
  CHECK(count(Strands::reverse) == 2);

  ExactSearch search(index.view(), backend, Strands::both);
  const auto rows = search.find(patterns);
  const auto starts = [&](std::uint64_t most) {
    std::vector<TextPos> positions;
    for (const Occurrence hit : search.locate(rows, most).hits) positions.push_back(hit.position());
    return positions;
  };
  CHECK(starts(0).empty());
  CHECK(starts(1) == std::vector<TextPos>{6});  // AAC$ sorts before AACA...
  CHECK(starts(2) == std::vector<TextPos>{3, 6});
  CHECK(starts(4) == std::vector<TextPos>{0, 3, 6, 13});  // GTT$ before GTTG...
  CHECK(starts(9) == std::vector<TextPos>{0, 3, 6, 10, 13});
}

TEST_CASE("a searcher accepts empty batches and rejects mismatched sizes", "[index][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Genome genome = test::genome_of({"ACGTACGT"});
  const FmIndex index = build_fm_index(genome.view(), Backend{});
  const auto searcher = make_searcher(index.view(), backend);
  PatternBatch patterns;
  searcher->find(patterns, {});
  searcher->locate({}, {});
  std::vector<RowRange> rows(1);
  CHECK_THROWS_AS(searcher->find(patterns, rows), std::invalid_argument);
  const std::vector<Row> some_rows(2);
  std::vector<TextPos> positions(1);
  CHECK_THROWS_AS(searcher->locate(some_rows, positions), std::invalid_argument);
  patterns.add({});
  searcher->find(patterns, rows);
  CHECK(rows[0] == RowRange{0, 9});
}

TEST_CASE("backends and thread counts find the same rows in a big text", "[index][backend]") {
  constexpr unsigned seed = 31;
  const auto contigs = test::big_text(1'000'000, seed);
  const Genome genome = test::genome_of(contigs);
  const FmIndex index = build_fm_index(genome.view(), Backend{});
  std::mt19937 rng(seed);
  std::vector<std::string> texts;
  for (int i = 0; i < 20'000; ++i) {
    const std::string& contig = contigs[rng() % contigs.size()];
    texts.push_back(contig.substr(rng() % contig.size(), 5 + rng() % 40));
  }
  const PatternBatch patterns = batch_of(texts);
  std::vector<RowRange> expected(patterns.count()), rows(patterns.count());
  make_searcher(index.view(), Backend{})->find(patterns, expected);
  std::vector<Row> firsts;
  for (const RowRange& range : expected) firsts.push_back(std::min(range.begin, genome.text_size() - 1));
  std::vector<TextPos> expected_positions(firsts.size()), positions(firsts.size());
  make_searcher(index.view(), Backend{})->locate(firsts, expected_positions);
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend), seed);
    const FmIndex wide = test::widened(index);
    for (const FmView& fm : {index.view(), wide.view()}) {
      const auto searcher = make_searcher(fm, backend);
      searcher->find(patterns, rows);
      REQUIRE((rows == expected));
      searcher->locate(firsts, positions);
      REQUIRE((positions == expected_positions));
    }
  }
}

}  // namespace warpseed
