#include "approximate/approximate_search.hpp"

#include <stdexcept>

#include "catch.hpp"
#include "search_helpers.hpp"

namespace warpseed {

using namespace approximate;

namespace {

std::string name_of(const SearchOptions& options) {
  return std::to_string(options.differences) + (options.metric == Metric::edits ? " edits" : " mismatches");
}

/// Patterns of all kinds, each empty or longer than the differences.
std::vector<std::string> patterns_for(const test::Contigs& contigs, const SearchOptions& options, std::size_t longest,
                                      std::mt19937& rng) {
  const std::size_t k = options.differences;
  const auto length = [&] { return k + 1 + rng() % (longest - k); };
  const std::string half = test::piece_of(contigs, 1 + k / 2 + rng() % 12, rng);
  std::vector<std::string> patterns = {"", std::string(k + 1, 'A'), std::string(k + 2 + rng() % 20, 'T'),
                                       std::string(k + 1 + rng() % 30, 'N'), half + test::reverse_complement(half)};
  for (std::size_t i = 0; i < 4; ++i) {
    patterns.push_back(test::random_bases(k + 1 + rng() % 12, 4, rng));
    patterns.push_back(test::edited(test::piece_of(contigs, length(), rng), rng() % (k + 2), options.metric, rng));
    patterns.push_back(test::reverse_complement(
        test::edited(test::piece_of(contigs, length(), rng), rng() % (k + 2), options.metric, rng)));
    patterns.push_back(test::overhanging(contigs, length(), rng() % (k + 2), rng));
    patterns.push_back(test::blurred(test::edited(test::piece_of(contigs, length(), rng), k, options.metric, rng),
                                     2 + static_cast<unsigned>(i), rng));
  }
  std::erase_if(patterns, [&](const std::string& pattern) { return !pattern.empty() && pattern.size() <= k; });
  return patterns;
}

void check_counts(const Counts& counts, const std::vector<test::OracleHit>& hits, std::uint32_t differences) {
  Counts expected = {0, 0, std::vector<std::uint64_t>(differences + 1)};
  for (const test::OracleHit& hit : hits) {
    ++(hit.reverse ? expected.reverse : expected.forward);
    ++expected.by_differences[hit.differences];
  }
  REQUIRE(counts.forward == expected.forward);
  REQUIRE(counts.reverse == expected.reverse);
  REQUIRE(counts.total() == hits.size());
  REQUIRE(counts.by_differences == expected.by_differences);
}

/// What is wrong with an alignment to the text of a contig; empty if nothing is.
std::string fault_of_hit(const test::Contigs& contigs, const std::string& pattern, const test::OracleHit& hit,
                         const std::string& operations, const SearchOptions& options) {
  const std::string searched = hit.reverse ? test::iupac_reverse_complement(pattern) : pattern;
  const std::string text = contigs[hit.contig].substr(hit.begin, hit.end - hit.begin);
  const test::ExactEnds forward = {options.exact_begin, options.exact_end};
  const std::string fault =
      options.metric == Metric::mismatches
          ? test::fault_of_ungapped(operations, searched, text)
          : test::fault_of(operations, searched, text, hit.reverse ? forward.mirrored() : forward);
  return fault.empty() ? "" : fault + " in " + searched + " to " + text + ": " + operations;
}

void check_search(const test::Contigs& contigs, const Target& target, const Backend& backend,
                  const SearchOptions& options, const std::vector<std::string>& patterns) {
  CAPTURE(to_string(backend), name_of(options));
  ApproximateSearch search(target, backend, options);
  search.find(test::batch_of(patterns));
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(patterns[i]);
    const Located located = search.locate(i, {});
    const auto found = test::in_contigs(target.genome, located.hits);
    const auto expected = test::expected_hits(contigs, patterns[i], options);
    REQUIRE(test::unlike(found, expected) == "");
    REQUIRE(located.total == expected.size());
    check_counts(search.count(i, {}), expected, options.differences);
    std::string fault;
    for (std::size_t j = 0; j < found.size() && fault.empty(); ++j) {
      fault = fault_of_hit(contigs, patterns[i], found[j], located.hits[j].operations, options);
    }
    REQUIRE(fault == "");
  }
}

}  // namespace

TEST_CASE("approximate search agrees with a scan of the text", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20260117;
  std::vector<test::NamedText> texts = test::difficult_texts(seed);
  for (test::NamedText& text : test::repetitive_texts(seed)) texts.push_back(std::move(text));
  for (const test::NamedText& text : texts) {
    CAPTURE(text.name, seed);
    std::mt19937 rng(seed);
    const test::IndexedGenome genome(text.contigs);
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      for (unsigned differences = 0; differences <= 5; ++differences) {
        const SearchOptions options = {metric, differences, Strands::both};
        check_search(text.contigs, genome.target(), backend, options, patterns_for(text.contigs, options, 50, rng));
      }
    }
  }
}

TEST_CASE("approximate search agrees with a scan of a longer text", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 61;
  std::mt19937 rng(seed);
  const auto contigs = test::big_text(16'000, seed);
  const test::IndexedGenome genome(contigs);
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    for (const unsigned differences : {0U, 1U, 2U, 4U}) {
      CAPTURE(seed);
      const SearchOptions options = {metric, differences, Strands::both};
      check_search(contigs, genome.target(), backend, options, patterns_for(contigs, options, 35, rng));
    }
  }
}

TEST_CASE("approximate search finds long patterns with up to eight differences", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 8;
  std::mt19937 rng(seed);
  std::vector<test::NamedText> texts = test::repetitive_texts(seed);
  texts.push_back({"random", {test::random_bases(3000, 4, rng), test::random_bases(900, 2, rng)}});
  for (const test::NamedText& text : texts) {
    CAPTURE(text.name, seed);
    const test::IndexedGenome genome(text.contigs);
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      for (const unsigned differences : {1U, 5U, 7U, 8U}) {
        std::vector<std::string> patterns;
        for (const std::size_t length : {31U, 32U, 33U, 63U, 64U, 65U, 100U, 127U, 128U, 129U, 150U, 192U, 200U}) {
          if (differences > 5 && length < 100) continue;
          const std::string piece = test::piece_of(text.contigs, length, rng);
          patterns.push_back(test::edited(piece, rng() % (differences + 2), metric, rng));
          patterns.push_back(test::reverse_complement(test::edited(piece, differences, metric, rng)));
          patterns.push_back(
              test::blurred(test::overhanging(text.contigs, length, rng() % (differences + 2), rng), 5, rng));
        }
        std::erase_if(patterns, [&](const std::string& pattern) { return pattern.size() <= differences; });
        check_search(text.contigs, genome.target(), backend, {metric, differences, Strands::both}, patterns);
      }
    }
  }
}

TEST_CASE("strands can be searched separately with differences", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 77;
  for (const test::NamedText& text : test::repetitive_texts(seed)) {
    CAPTURE(text.name, seed);
    const test::IndexedGenome genome(text.contigs);
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      for (const Strands strands : {Strands::forward, Strands::reverse}) {
        std::mt19937 rng(seed);
        const SearchOptions options = {metric, 2, strands};
        check_search(text.contigs, genome.target(), backend, options, patterns_for(text.contigs, options, 40, rng));
      }
    }
  }
}

TEST_CASE("alignments do not reach over the ends of contigs or over N", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const auto find = [&](const test::Contigs& contigs, const std::string& pattern, const SearchOptions& options) {
    const test::IndexedGenome genome(contigs);
    ApproximateSearch search(genome.target(), backend, options);
    search.find(test::batch_of({pattern}));
    check_search(contigs, genome.target(), backend, options, {pattern});
    return search.count(0, {}).total();
  };
  CHECK(find({"CCAAGG", "TTCACA"}, "AGGTTC", {Metric::mismatches, 2, Strands::forward}) == 0);
  CHECK(find({"CCAAGGNTTCACA"}, "AGGNTTC", {Metric::mismatches, 2, Strands::forward}) == 0);
  CHECK(find({"CCAAGGNTTCACA"}, "AGGNTTC", {Metric::edits, 3, Strands::forward}) == 0);
  CHECK(find({"CCAAGG"}, "AAGGTT", {Metric::edits, 2, Strands::forward}) == 1);
  CHECK(find({"CCAAGG"}, "TTCCAAGG", {Metric::edits, 2, Strands::forward}) == 1);
  CHECK(find({"CCAAGG"}, "TTCCAAGG", {Metric::mismatches, 2, Strands::forward}) == 0);
}

TEST_CASE("an occurrence at the end of a contig does not hide one at the begin of the next", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const SearchOptions options = {Metric::edits, 2, Strands::forward};
  for (const test::Contigs& contigs : {test::Contigs{"ACG", "A"}, {"ACGNA"}, {"ACGNNNNA"}, {"A", "A", "ACG"}}) {
    const test::IndexedGenome genome(contigs);
    check_search(contigs, genome.target(), backend, options, {"ACG"});
  }
  const test::IndexedGenome genome({"ACG", "A"});
  ApproximateSearch search(genome.target(), backend, options);
  search.find(test::batch_of({"ACG"}));
  CHECK(search.count(0, {}).by_differences == std::vector<std::uint64_t>{1, 0, 1});
}

TEST_CASE("ends of patterns can be asked to match, on both strands", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 33;
  std::mt19937 rng(seed);
  for (const test::NamedText& text : test::repetitive_texts(seed)) {
    CAPTURE(text.name, seed);
    const test::IndexedGenome genome(text.contigs);
    for (const Metric metric : {Metric::mismatches, Metric::edits}) {
      for (const unsigned differences : {0U, 1U, 3U, 4U}) {
        SearchOptions options = {metric, differences, Strands::both};
        options.exact_begin = static_cast<std::uint32_t>(rng() % 4);
        options.exact_end = static_cast<std::uint32_t>(rng() % 2 == 0 ? rng() % 4 : rng() % 40);
        auto patterns = patterns_for(text.contigs, options, 80, rng);
        std::erase_if(patterns, [&](const std::string& pattern) {
          return !pattern.empty() && pattern.size() <= differences + options.exact_begin + options.exact_end;
        });
        CAPTURE(options.exact_begin, options.exact_end);
        check_search(text.contigs, genome.target(), backend, options, patterns);
      }
    }
  }
}

TEST_CASE("a batch does not depend on the one before, whose memory it takes", "[approximate]") {
  constexpr unsigned seed = 41;
  std::mt19937 rng(seed);
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    SearchPlanner planner({1'000'000, 6}, {metric, 2});
    StrandBatch used;
    ZeroedArray<std::uint64_t> used_words;
    for (const std::size_t length : {200U, 40U, 150U, 31U}) {
      CAPTURE(seed, length);
      const SetBatch patterns = test::batch_of(
          {test::random_bases(length, 4, rng), test::blurred(test::random_bases(length + 3, 4, rng), 4, rng)});
      const StrandBatch fresh = prepare(patterns, planner, 1);
      used = prepare(patterns, planner, 2, std::move(used));
      CHECK(used.sets == fresh.sets);
      ZeroedArray<std::uint64_t> words;
      write_words(fresh, 1, words);
      write_words(used, 2, used_words);
      CHECK(used_words == words);
      CHECK(used.parts == fresh.parts);
      CHECK(used.patterns.size() == fresh.patterns.size());
      CHECK(used.expected_steps == fresh.expected_steps);
    }
  }
}

TEST_CASE("exact ends need bases between them", "[approximate]") {
  const test::IndexedGenome genome({"ACGTACGTTTGACG"});
  SearchOptions options = {Metric::mismatches, 1, Strands::both};
  options.exact_end = 3;
  ApproximateSearch search(genome.target(), Backend{}, options);
  CHECK_THROWS_AS(search.find(test::batch_of({"ACGT"})), std::invalid_argument);
  search.find(test::batch_of({"ACGTA"}));
  CHECK(search.count(0, {}).by_differences == std::vector<std::uint64_t>{2, 0});
}

TEST_CASE("patterns of a repeat are given up, and no others", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 300;
  std::mt19937 rng(seed);
  const std::string repeat = test::random_bases(200, 4, rng);
  test::Contigs contigs = {test::random_bases(40'000, 4, rng)};
  for (unsigned i = 0; i < 300; ++i) contigs[0] += test::edited(repeat, 3, Metric::mismatches, rng);
  const test::IndexedGenome genome(contigs);
  const Target target = genome.target();
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    const SearchOptions options = {metric, 2, Strands::forward};
    const std::vector<std::string> patterns = {contigs[0].substr(1000, 60), repeat.substr(20, 60),
                                               contigs[0].substr(9000, 60), repeat.substr(90, 60)};
    const SearchedText text = {target.genome.text.size, target.fm.kmer_length, 0};
    SearchPlanner for_repeats({text.size, text.kmer_length, 1000}, options), planner(text, options, &for_repeats);
    const auto search = make_end_search(target, backend, options);
    const EndBatch given_up = search->find(prepare(test::batch_of(patterns), planner, 1));
    const EndBatch all = search->find(prepare(test::batch_of(patterns), for_repeats, 1));
    CAPTURE(to_string(backend), seed, name_of(options));
    CHECK(given_up.given_up == std::vector<std::uint32_t>{2, 6});
    CHECK(all.given_up.empty());
    const auto ends_of = [](const EndBatch& batch, std::size_t i) {
      return std::vector(batch.of_patterns[i].begin(), batch.of_patterns[i].end());
    };
    for (const std::size_t i : {0U, 4U}) CHECK(ends_of(given_up, i) == ends_of(all, i));
  }
}

TEST_CASE("a palindrome occurs on both strands", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const test::Contigs contigs = {"CCCGAATTCCCC", "GATATC"};
  const test::IndexedGenome genome(contigs);
  for (const Metric metric : {Metric::mismatches, Metric::edits}) {
    check_search(contigs, genome.target(), backend, {metric, 2, Strands::both}, {"GAATTC", "NNAATTNN", "RGAATTCY"});
    ApproximateSearch search(genome.target(), backend, {metric, 0, Strands::both});
    search.find(test::batch_of({"GAATTC"}));
    CHECK(search.count(0, {}).forward == 1);
    CHECK(search.count(0, {}).reverse == 1);
  }
}

}  // namespace warpseed
