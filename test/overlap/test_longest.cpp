#include "overlap/longest/longest.hpp"

#include <map>
#include <random>

#include "catch.hpp"
#include "overlap/match_oracle.hpp"

namespace warpseed {

using namespace overlap;
using namespace text;

namespace {

struct LongestQuestion {
  test::Contigs targets, queries;
  Strands strands = Strands::both;
  LongestOptions options;
};

/// The longest of all maximal matches of a pair, one for each distinct word.
std::vector<LongestRegion> expected_longest(const LongestQuestion& question) {
  const bool self = question.queries.empty();
  const test::Contigs& queries = self ? question.targets : question.queries;
  auto matches = test::expected_matches({question.targets, question.queries, question.strands, {1}});
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<CommonRegion>> pairs;
  for (CommonRegion region : matches) {
    if (self && region.target > region.query) continue;
    if (self && region.target == region.query && !question.options.within) continue;
    if (self && region.target == region.query && region.target_begin > region.query_begin)
      std::swap(region.target_begin, region.query_begin);
    auto& best = pairs[{region.target, region.query}];
    if (!best.empty() && best[0].length > region.length) continue;
    if (!best.empty() && best[0].length < region.length) best.clear();
    best.push_back(region);
  }
  std::vector<LongestRegion> longest;
  for (auto& [pair, best] : pairs) {
    const auto order = [](const CommonRegion& r) { return std::tuple(r.target_begin, r.reverse, r.query_begin); };
    std::sort(best.begin(), best.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    std::vector<std::pair<std::string, bool>> seen;  // words and their strands
    for (const CommonRegion& region : best) {
      const std::string& target = question.targets[region.target];
      const std::string word = target.substr(region.target_begin, region.length);
      const std::pair key(word, region.reverse);
      const std::pair mirrored(test::reverse_complement(word), true);
      const bool within = self && region.target == region.query;
      if (std::count(seen.begin(), seen.end(), key) > 0) continue;
      if (within && region.reverse && std::count(seen.begin(), seen.end(), mirrored) > 0) continue;
      seen.push_back(key);
      const std::string query =
          region.reverse ? test::reverse_complement(queries[region.query]) : queries[region.query];
      longest.push_back({region, test::occurrences({target}, word), test::occurrences({query}, word)});
      if (!question.options.ties) break;
    }
  }
  return longest;
}

void check(const LongestQuestion& question, const Backend& backend) {
  const SequenceText text(test::file_of(question.targets, "targets"), test::file_of(question.queries, "queries"),
                          question.strands, backend.threads);
  const auto found = longest_regions(text, question.options, backend);
  const auto expected = expected_longest(question);
  CHECK(found.size() == expected.size());
  CHECK((found == expected));
}

}  // namespace

TEST_CASE("the longest common regions are the longest of all matches", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t alphabet = GENERATE(1, 2, 4, 5);
  const bool ties = GENERATE(false, true);
  const auto strands = GENERATE(Strands::both, Strands::forward, Strands::reverse);
  CAPTURE(to_string(backend), alphabet, ties, static_cast<int>(strands));
  std::mt19937 rng(static_cast<unsigned>(alphabet));
  const int rounds = backend.kind == BackendKind::cpu ? 8 : 2;
  for (int round = 0; round < rounds; ++round) {
    LongestQuestion question;
    const std::size_t longest = alphabet == 1 ? 20 : 60;
    for (std::uint64_t i = 0, count = 1 + rng() % 4; i < count; ++i)
      question.targets.push_back(test::random_bases(1 + rng() % longest, alphabet, rng));
    for (std::uint64_t i = 0, count = 1 + rng() % 4; i < count; ++i)
      question.queries.push_back(test::random_bases(1 + rng() % longest, alphabet, rng));
    question.queries.push_back("NNN");
    question.strands = strands;
    question.options.ties = ties;
    CAPTURE(round);
    check(question, backend);
    if (strands == Strands::reverse) continue;
    question.queries.clear();
    check(question, backend);
    question.options.within = true;
    check(question, backend);
  }
}

TEST_CASE("pairs with shorter common regions than most are found as well", "[overlap][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(23);
  LongestQuestion question;
  for (int i = 0; i < 12; ++i) question.targets.push_back(test::random_bases(150, 4, rng));
  question.targets.push_back(std::string(50, 'A'));
  question.targets.push_back("C");
  question.targets.push_back("NN");
  check(question, backend);
  question.options = {true, true};
  check(question, backend);
}

}  // namespace warpseed
