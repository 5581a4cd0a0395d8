#include "approximate/approximate_search.hpp"
#include "approximate/scan_table.hpp"
#include "catch.hpp"
#include "search_helpers.hpp"

namespace warpseed {

using namespace approximate;

namespace {

/// Patterns that a scan can search for, of a few lengths, with the same exact ends on some.
std::vector<std::string> short_patterns(const test::Contigs& contigs, const SearchOptions& options, std::size_t count,
                                        std::mt19937& rng) {
  const std::size_t least = options.differences + options.exact_begin + options.exact_end + 1;
  std::vector<std::string> patterns;
  while (patterns.size() < count) {
    const std::size_t length = least + rng() % (max_scan_length - least + 1);
    std::string pattern = test::piece_of(contigs, length, rng);
    if (rng() % 3 == 0) pattern = test::overhanging(contigs, length, rng() % 3, rng);
    pattern = test::edited(pattern, rng() % (options.differences + 2), Metric::mismatches, rng);
    if (rng() % 2 == 0) pattern = test::reverse_complement(pattern);
    if (rng() % 4 == 0) pattern = test::blurred(pattern, 8, rng);
    pattern.resize(std::max(pattern.size(), least), 'A');
    patterns.push_back(pattern);
  }
  return patterns;
}

std::vector<test::OracleHit> found_by(const Target& target, const Backend& backend, SearchOptions options,
                                      Method method, const std::vector<std::string>& patterns, std::size_t i) {
  options.method = method;
  ApproximateSearch search(target, backend, options);
  search.find(test::batch_of(patterns));
  return test::in_contigs(target.genome, search.locate(i, {}).hits);
}

/// The table for a scan, whatever it costs.
std::optional<ScanTable> table_for(const std::vector<std::string>& patterns, SearchOptions options) {
  options.method = Method::scan;
  SearchPlanner planner({1000, 3}, options);
  return ScanTable::make(prepare(test::batch_of(patterns), planner, 1), options, 1000, {});
}

}  // namespace

TEST_CASE("a scan finds what comparing all positions does", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 404;
  std::mt19937 rng(seed);
  std::vector<test::NamedText> texts = test::difficult_texts(seed);
  for (test::NamedText& text : test::repetitive_texts(seed)) texts.push_back(std::move(text));
  for (const test::NamedText& text : texts) {
    const test::IndexedGenome genome(text.contigs);
    for (const unsigned differences : {0U, 1U, 2U, 4U, 5U, 8U}) {
      SearchOptions options = {Metric::mismatches, differences, Strands::both};
      options.method = Method::scan;
      options.exact_begin = static_cast<std::uint32_t>(rng() % 2 * (rng() % 5));
      options.exact_end = static_cast<std::uint32_t>(rng() % 2 * (rng() % 5));
      const auto patterns = short_patterns(text.contigs, options, 24, rng);
      CAPTURE(to_string(backend), text.name, seed, differences, options.exact_begin, options.exact_end);
      REQUIRE(table_for(patterns, options).has_value());
      ApproximateSearch search(genome.target(), backend, options);
      search.find(test::batch_of(patterns));
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        CAPTURE(patterns[i]);
        const auto found = test::in_contigs(genome.target().genome, search.locate(i, {}).hits);
        REQUIRE(test::unlike(found, test::expected_hits(text.contigs, patterns[i], options)) == "");
      }
    }
  }
}

TEST_CASE("a scan for many patterns finds what the index does", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 405;
  std::mt19937 rng(seed);
  const auto contigs = test::big_text(120'000, seed);
  const test::IndexedGenome genome(contigs);
  const unsigned differences = GENERATE(1U, 4U);
  SearchOptions options = {Metric::mismatches, differences, Strands::both};
  options.exact_end = 3;
  std::vector<std::string> guides;  // as many patterns of one shape as the buckets of a device's warp hold
  for (std::size_t i = 0; i < 20'000; ++i) {
    std::string guide = test::edited(test::piece_of(contigs, 20, rng), rng() % 4, Metric::mismatches, rng);
    guide.resize(20, 'A');
    std::replace(guide.begin(), guide.end(), 'N', 'C');
    guides.push_back(guide + "NGG");
  }
  options.method = Method::scan;
  REQUIRE(table_for(guides, options).has_value());
  ApproximateSearch scan(genome.target(), backend, options);
  options.method = Method::index;
  ApproximateSearch index(genome.target(), backend, options);
  scan.find(test::batch_of(guides));
  index.find(test::batch_of(guides));
  CAPTURE(to_string(backend), seed, differences);
  REQUIRE(scan.ends_found() > 1000);
  for (std::size_t i = 0; i < guides.size(); ++i) {
    if (scan.locate(i, {}).hits != index.locate(i, {}).hits) FAIL("guide " << i << " " << guides[i]);
  }
}

TEST_CASE("long patterns and those of too many codes are searched in the index", "[approximate]") {
  const SearchOptions options = {Metric::mismatches, 2, Strands::both};
  CHECK(table_for({std::string(32, 'A')}, options).has_value());
  CHECK_FALSE(table_for({std::string(33, 'A')}, options).has_value());
  CHECK_FALSE(table_for({std::string(32, 'A'), std::string(100, 'A')}, options).has_value());
  std::vector<std::string> many(50'000, "ACGTACGTACGTACGTACGTACGTACGT");
  CHECK(table_for(many, options).has_value());
  many.push_back(std::string(28, 'N'));
  CHECK_FALSE(table_for(many, options).has_value());
  CHECK_FALSE(table_for({"ACGTACGT"}, {Metric::edits, 2, Strands::both}).has_value());
  const test::IndexedGenome genome({"TTTTACGTACGTACGTACGTACGTACGTACGTACGTACGT"});
  CHECK(found_by(genome.target(), Backend{}, options, Method::scan, {std::string(33, 'N')}, 0).size() == 16);
}

TEST_CASE("the cheaper of scan and index is chosen", "[approximate]") {
  SearchOptions options = {Metric::mismatches, 4, Strands::both};
  options.exact_end = 3;
  const SearchCosts costs = {70, 0.8, 6, 2.5};
  constexpr std::uint64_t text_size = 3'000'000'000;
  const auto scanned = [&](std::size_t count, std::size_t length) {
    SearchPlanner planner({text_size, 13, 10}, options);
    const std::vector<std::string> patterns(count, std::string(length, 'C') + "NGG");
    return ScanTable::make(prepare(test::batch_of(patterns), planner, 1), options, text_size, costs).has_value();
  };
  CHECK_FALSE(scanned(1, 20));
  CHECK(scanned(10'000, 20));
  CHECK_FALSE(scanned(10'000, 29));
}

}  // namespace warpseed
