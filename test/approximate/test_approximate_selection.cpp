#include <stdexcept>

#include "approximate/approximate_search.hpp"
#include "catch.hpp"
#include "index/fm_helpers.hpp"
#include "search_helpers.hpp"

namespace warpseed {

using namespace approximate;

namespace {

constexpr std::uint64_t all_hits = ~std::uint64_t{0};

/// The hits that a selection leaves: taken one by one, the best first.
std::vector<test::OracleHit> selected(std::vector<test::OracleHit> hits, const Selection& selection) {
  std::vector<test::OracleHit> best;
  for (std::uint32_t differences = 0; differences <= max_differences; ++differences) {
    for (const test::OracleHit& hit : hits) {
      if (hit.differences == differences && best.size() < selection.max_hits) best.push_back(hit);
    }
    if (selection.best_only && !best.empty()) break;
  }
  std::sort(best.begin(), best.end());
  return best;
}

/// All that a search says of a pattern.
struct Answer {
  std::vector<Occurrence> hits;
  std::uint64_t forward = 0, reverse = 0, total = 0;
  std::vector<std::uint64_t> by_differences;

  friend bool operator==(const Answer&, const Answer&) = default;
};

Answer answer_of(const ApproximateSearch& search, std::uint64_t i, const Selection& selection) {
  const Counts counts = search.count(i, selection);
  Located located = search.locate(i, selection);
  return {std::move(located.hits), counts.forward, counts.reverse, located.total, counts.by_differences};
}

std::vector<Answer> answers_of(const Target& target, const Backend& backend, const SearchOptions& options,
                               const std::vector<std::string>& patterns) {
  ApproximateSearch search(target, backend, options);
  search.find(test::batch_of(patterns));
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < patterns.size(); ++i) answers.push_back(answer_of(search, i, {}));
  return answers;
}

/// Pieces of the contigs with changes; one in ten is IUPAC.
std::vector<std::string> changed_pieces(const test::Contigs& contigs, std::size_t count, const SearchOptions& options,
                                        std::mt19937& rng) {
  std::vector<std::string> patterns;
  while (patterns.size() < count) {
    std::string pattern = test::piece_of(contigs, 18 + rng() % 80, rng);
    if (pattern.find('N') != std::string::npos) continue;  // a change might hide it, and the pattern occur nowhere
    pattern = test::edited(pattern, rng() % (options.differences + 1), options.metric, rng);
    if (patterns.size() % 2 == 1) pattern = test::iupac_reverse_complement(pattern);
    if (patterns.size() % 10 == 0) pattern = test::blurred(pattern, 8, rng);
    if (pattern.size() < 18) continue;
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace

TEST_CASE("the best occurrences can be selected", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 3;
  std::mt19937 rng(seed);
  for (const test::NamedText& text : test::repetitive_texts(seed)) {
    const test::IndexedGenome genome(text.contigs);
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      const SearchOptions options = {metric, 3, Strands::both};
      ApproximateSearch search(genome.target(), backend, options);
      std::vector<std::string> patterns = {"", "AAAA", "ACGT", "AAAAAAAAAAAA", std::string(60, 'C')};
      for (int i = 0; i < 20; ++i) patterns.push_back(test::piece_of(text.contigs, 4 + rng() % 20, rng));
      std::erase_if(patterns, [](const std::string& pattern) { return !pattern.empty() && pattern.size() < 4; });
      search.find(test::batch_of(patterns));
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        CAPTURE(to_string(backend), text.name, seed, metric == Metric::edits, patterns[i]);
        const auto all = test::expected_hits(text.contigs, patterns[i], options);
        for (const bool best_only : {false, true}) {
          const auto uncut = selected(all, {best_only, all_hits});
          REQUIRE(search.count(i, {best_only, 1}).total() == uncut.size());  // counts are never cut
          for (const std::uint64_t max_hits : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, all_hits}) {
            CAPTURE(best_only, max_hits);
            const Located located = search.locate(i, {best_only, max_hits});
            const auto found = test::in_contigs(genome.genome.view(), located.hits);
            REQUIRE(test::unlike(found, selected(all, {best_only, max_hits})) == "");
            REQUIRE(located.total == uncut.size());
          }
        }
      }
    }
  }
}

TEST_CASE("the best occurrences of a pattern are those of both strands", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const test::IndexedGenome genome({"AAAACCCCAACCAGGGGTTTG"});  // forward with 0, reverse with 1
  ApproximateSearch search(genome.target(), backend, {Metric::mismatches, 1, Strands::both});
  search.find(test::batch_of({"AAAACCCC"}));
  CHECK(search.count(0, {}).by_differences == std::vector<std::uint64_t>{1, 1});
  const Counts best = search.count(0, {true, all_hits});
  CHECK(best.forward == 1);
  CHECK(best.reverse == 0);
  CHECK(best.by_differences == std::vector<std::uint64_t>{1, 0});
}

TEST_CASE("index widths and thread counts give the same answers to thousands of patterns", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 404;
  const auto contigs = test::big_text(150'000, seed);
  const test::IndexedGenome genome(contigs);
  const index::FmIndex wide = test::widened(genome.index);
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    std::mt19937 rng(seed);
    const SearchOptions options = {metric, 2, Strands::both};
    CAPTURE(to_string(backend), seed, metric == Metric::edits);
    auto patterns = changed_pieces(contigs, 3000, options, rng);
    patterns[1234] = "";
    const auto expected = answers_of(genome.target(), Backend{}, options, patterns);
    REQUIRE((answers_of(genome.target(), backend, options, patterns) == expected));
    REQUIRE((answers_of({genome.genome.view(), wide.view()}, backend, options, patterns) == expected));
    ApproximateSearch search(genome.target(), backend, options);
    for (std::size_t i = 0; i < patterns.size(); i += 3) {  // one by one
      CAPTURE(patterns[i]);
      search.find(test::batch_of({patterns[i]}));
      REQUIRE((answer_of(search, 0, {}) == expected[i]));
      REQUIRE((expected[i].total > 0) == !patterns[i].empty());
    }
  }
}

TEST_CASE("a search forgets the batch before", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const test::IndexedGenome genome({"ACGTACCTACGT"});
  ApproximateSearch search(genome.target(), backend, {Metric::mismatches, 1, Strands::forward});
  search.find({});
  search.find(test::batch_of({"ACGT", "", "GGGG"}));
  CHECK(search.count(0, {}).by_differences == std::vector<std::uint64_t>{2, 1});
  CHECK(search.count(1, {}).total() == 0);
  CHECK(search.locate(1, {}).hits.empty());
  CHECK(search.count(2, {}).total() == 0);
  search.find({});
  search.find(test::batch_of({"CCTA"}));
  CHECK(search.count(0, {}).by_differences == std::vector<std::uint64_t>{1, 1});
  const std::vector<Occurrence> expected = {{1, false, 5, 1, "=X=="}, {5, false, 9, 0, "===="}};
  CHECK((search.locate(0, {}).hits == expected));
}

TEST_CASE("approximate search rejects patterns that are too short and too many differences", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const test::IndexedGenome genome({"ACGTACCTACGT"});
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    CAPTURE(to_string(backend), metric == Metric::edits);
    CHECK_THROWS_AS(ApproximateSearch(genome.target(), backend, {metric, 9, Strands::both}), std::invalid_argument);
    ApproximateSearch search(genome.target(), backend, {metric, 3, Strands::both});
    CHECK_THROWS_AS(search.find(test::batch_of({"ACGT", "ACG"})), std::invalid_argument);
    search.find(test::batch_of({"ACGT"}));
    CHECK(search.count(0, {}).total() > 0);
  }
}

}  // namespace warpseed
