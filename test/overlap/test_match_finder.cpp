#include "overlap/matches/match_finder.hpp"

#include <random>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "index/index_file.hpp"
#include "overlap/match_oracle.hpp"

namespace warpseed {

using namespace index;
using namespace overlap;
using namespace text;

namespace {

/// Finds matches in runs of at most `most`, checks their order, and sorts them.
std::vector<CommonRegion> all_matches(const SequenceText& text, const MatchOptions& options, const Backend& backend,
                                      std::uint64_t most) {
  const auto finder = make_match_finder(text, options, backend);
  std::vector<CommonRegion> regions;
  std::pair<TextPos, TextPos> before{};
  std::uint64_t begin = 0;
  for (const std::uint64_t end : finder->run_ends(most)) {
    REQUIRE(end > begin);
    for (const TextMatch& match : finder->matches(begin, end)) {
      const std::pair here =
          options.by_query ? std::pair(match.query, match.target) : std::pair(match.target, match.query);
      if (!regions.empty()) REQUIRE(before < here);
      before = here;
      regions.push_back(text.region(match.target, match.query, match.length));
    }
    begin = end;
  }
  test::sort_by_all_fields(regions);
  return regions;
}

void check(const test::MatchQuestion& question, const Backend& backend, std::uint64_t most = 7) {
  auto expected = test::expected_matches(question);
  test::sort_by_all_fields(expected);
  const SequenceText text(test::file_of(question.targets, "targets"), test::file_of(question.queries, "queries"),
                          question.strands, backend.threads);
  const auto found = all_matches(text, question.options, backend, most);
  CHECK(found.size() == expected.size());
  CHECK((found == expected));
}

/// The same with an index of the targets.
void check_with_index(const test::MatchQuestion& question, const Backend& backend) {
  const test::TempFolder folder;
  const std::string path = folder.file("targets.wsi");
  const Genome targets = test::genome_of(question.targets);
  write_index(path, Index(targets, build_fm_index(targets.view(), backend)));
  std::vector<SequenceFile> files;
  files.emplace_back(path);
  const SequenceText text(files, test::file_of(question.queries, "queries"), question.strands, backend.threads);
  REQUIRE(text.target_index() != nullptr);
  auto expected = test::expected_matches(question);
  test::sort_by_all_fields(expected);
  CHECK((all_matches(text, question.options, backend, 7) == expected));
}

/// Sequences that repeat parts of each other, on both strands, with substitutions and N.
test::Contigs related_sequences(std::size_t count, std::size_t longest, std::uint64_t alphabet, std::mt19937& rng) {
  test::Contigs sequences;
  std::string pool = test::random_bases(longest, alphabet, rng);
  for (std::size_t i = 0; i < count; ++i) {
    std::string bases;
    while (bases.size() < 1 + rng() % longest) {
      const std::size_t begin = rng() % pool.size();
      std::string piece = pool.substr(begin, 1 + rng() % 60);
      if (rng() % 3 == 0) piece = test::reverse_complement(piece);
      if (rng() % 2 == 0) piece[rng() % piece.size()] = "ACGTN"[rng() % 5];
      bases += piece;
    }
    sequences.push_back(bases);
  }
  return sequences;
}

}  // namespace

TEST_CASE("matches equal those of comparing all positions with all", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t alphabet = GENERATE(1, 2, 4);
  const auto uniqueness = GENERATE(Uniqueness::any, Uniqueness::in_target, Uniqueness::in_both);
  const bool by_query = GENERATE(false, true);
  const auto strands = GENERATE(Strands::both, Strands::forward, Strands::reverse);
  CAPTURE(to_string(backend), alphabet, static_cast<int>(uniqueness), by_query, static_cast<int>(strands));
  std::mt19937 rng(static_cast<unsigned>(3 + alphabet));
  const int rounds = backend.kind == BackendKind::cpu ? 6 : 2;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t longest = alphabet == 4 ? 300 : 60;
    test::MatchQuestion question;
    question.targets = related_sequences(1 + rng() % 4, longest, alphabet, rng);
    question.queries = related_sequences(1 + rng() % 4, longest, alphabet, rng);
    if (round % 2 == 0) question.queries.push_back(question.targets[0]);
    question.strands = strands;
    question.options = {1 + rng() % (alphabet == 4 ? 12 : 40), uniqueness, by_query};
    if (alphabet == 4) question.options.min_length += 3;
    CAPTURE(round, question.options.min_length);
    check(question, backend);
    check_with_index(question, backend);
  }
}

TEST_CASE("matches of a set with itself", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t alphabet = GENERATE(1, 2, 4);
  const bool by_query = GENERATE(false, true);
  const auto strands = GENERATE(Strands::both, Strands::forward);
  CAPTURE(to_string(backend), alphabet, by_query, static_cast<int>(strands));
  std::mt19937 rng(static_cast<unsigned>(5 + alphabet));
  for (int round = 0; round < 3; ++round) {
    test::MatchQuestion question;
    question.targets = related_sequences(1 + rng() % 4, alphabet == 4 ? 300 : 60, alphabet, rng);
    question.strands = strands;
    question.options = {alphabet == 4 ? 4 + rng() % 12 : 1 + rng() % 40, Uniqueness::any, by_query};
    CAPTURE(round, question.options.min_length);
    check(question, backend);
  }
}

TEST_CASE("matches of odd inputs", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  using test::Contigs;
  const std::string palindrome = "ACGTACGTACGT";
  const std::vector<test::MatchQuestion> questions = {
      {{"ACG"}, {"ACG"}, Strands::both, {20}},                // shorter than the minimum
      {{"NNNN"}, {"ACGT"}, Strands::both, {1}},               // only N
      {{"NNNN"}, {"NN"}, Strands::both, {1}},                 // a text without symbols
      {{"NNNN"}, {}, Strands::both, {1}},                     //
      {{"A"}, {}, Strands::both, {1}},                        // one base
      {{palindrome}, {palindrome}, Strands::both, {4}},       // identical and its own reverse complement
      {{palindrome, palindrome}, {}, Strands::both, {12}},    //
      {{"ACGTTGCAAC"}, {"ACGTTGCAAC"}, Strands::both, {10}},  // the whole of both
      {{"ACGTNACGTNNACGT"}, {"ACGTACGTACGT"}, Strands::forward, {3}},
      {{"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}, {}, Strands::both, {33}},
  };
  for (const test::MatchQuestion& question : questions) {
    CAPTURE(question.targets[0]);
    check(question, backend);
    check(question, backend, 1'000'000);
  }
  const SequenceText text(test::file_of({"ACGT"}), test::file_of({"ACGT"}), Strands::both, 1);
  CHECK_THROWS_AS(make_match_finder(text, {0}, backend), std::invalid_argument);
}

TEST_CASE("a word with many occurrences", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const auto uniqueness = GENERATE(Uniqueness::any, Uniqueness::in_target, Uniqueness::in_both);
  CAPTURE(to_string(backend), static_cast<int>(uniqueness));
  std::mt19937 rng(17);
  const std::string element = test::random_bases(30, 4, rng);
  std::string target, query;
  for (int copy = 0; copy < 100; ++copy) {
    target += element + test::random_bases(1 + rng() % 3, 4, rng);
    query += element + test::random_bases(1 + rng() % 3, 4, rng);
  }
  check({{target}, {query}, Strands::both, {25, uniqueness}}, backend, 100'000);
  check({{target}, {query}, Strands::both, {25, uniqueness}}, backend, 50);
  check_with_index({{target}, {query}, Strands::both, {25, uniqueness}}, backend);
}

}  // namespace warpseed
