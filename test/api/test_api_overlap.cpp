#include <algorithm>
#include <tuple>

#include "api_backends.hpp"
#include "catch.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "overlap/match_oracle.hpp"
#include "warpseed/error.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed {

namespace {

std::vector<Sequence> sequences_of(const test::Contigs& contigs) {
  std::vector<Sequence> sequences;
  for (const std::string& contig : contigs) sequences.push_back({"", contig});
  return sequences;
}

/// Two sides that share repeats of some ten bases, on both strands.
test::Contigs related_contigs(std::mt19937& rng) {
  const std::string shared = test::random_bases(30, 4, rng);
  return {test::random_bases(60, 4, rng) + shared + "N" + test::random_bases(20, 2, rng),
          test::random_bases(25, 4, rng) + test::reverse_complement(shared), shared.substr(4, 20)};
}

/// As the library has them: a reverse match of a set with itself once.
std::vector<CommonRegion> expected(const test::MatchQuestion& question) {
  std::vector<CommonRegion> all = test::expected_matches(question);
  if (question.queries.empty()) {
    std::erase_if(all, [](const CommonRegion& region) {
      return region.reverse &&
             std::tuple(region.target, region.target_begin) > std::tuple(region.query, region.query_begin);
    });
  }
  test::sort_by_all_fields(all);
  return all;
}

/// The longest prefix that two sequences share from these positions on, each on its strand.
std::uint64_t shared_from(const test::Contigs& contigs, const StrandPositionPair& pair) {
  const auto read = [&](const StrandPosition& at) {
    const std::string& forward = contigs[at.sequence];
    return at.reverse ? test::reverse_complement(forward).substr(forward.size() - 1 - at.position)
                      : forward.substr(at.position);
  };
  const std::string a = read(pair.target), b = read(pair.query);
  std::uint64_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length] && a[length] != 'N') ++length;
  return length;
}

}  // namespace

TEST_CASE("maximal matches of sequences in memory are those of a scan", "[api][backend]") {
  const std::string backend = GENERATE(from_range(test::backend_names()));
  const bool self = GENERATE(false, true);
  const Strands strands = GENERATE(Strands::both, Strands::forward);
  const Uniqueness uniqueness = GENERATE(Uniqueness::any, Uniqueness::in_target, Uniqueness::in_both);
  if (self && uniqueness != Uniqueness::any) return;
  const unsigned seed = GENERATE(1U, 2U, 3U);
  CAPTURE(backend, self, static_cast<int>(strands), static_cast<int>(uniqueness), seed);
  std::mt19937 rng(seed);
  test::MatchQuestion question{related_contigs(rng), {}, strands, {}};
  std::mt19937 again(seed);
  if (!self) question.queries = related_contigs(again), question.queries.push_back(test::random_bases(40, 4, rng));
  question.options.min_length = 6;
  question.options.uniqueness = uniqueness;
  question.options.strands = strands;

  std::vector<CommonRegion> found = maximal_matches(sequences_of(question.targets), sequences_of(question.queries),
                                                    question.options, Context({backend, 2}));
  test::sort_by_all_fields(found);
  CHECK(found == expected(question));
  CHECK(!found.empty());
}

TEST_CASE("matches come in the order that was asked for, in portions or at once", "[api]") {
  std::mt19937 rng(4);
  const test::Contigs targets = {test::random_bases(3000, 2, rng)}, queries = {test::random_bases(3000, 2, rng)};
  MatchOptions options;
  options.min_length = 8;
  options.by_query = GENERATE(false, true);
  const Context context({"cpu", 2});
  const std::vector<CommonRegion> all = maximal_matches(sequences_of(targets), sequences_of(queries), options, context);
  std::vector<CommonRegion> joined;
  for_each_maximal_match(
      sequences_of(targets), sequences_of(queries), options, context,
      [&](std::span<const CommonRegion> some) { joined.insert(joined.end(), some.begin(), some.end()); });
  CHECK(joined == all);
  CHECK(all.size() > 10000);
  if (!options.by_query) {
    CHECK(std::is_sorted(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.target_begin < b.target_begin; }));
  }
  CHECK_THROWS_AS(for_each_maximal_match(sequences_of(targets), sequences_of(queries), options, context,
                                         [](std::span<const CommonRegion>) { throw std::runtime_error("enough"); }),
                  std::runtime_error);
}

TEST_CASE("the longest common region of two sequences is the longest match", "[api][backend]") {
  const std::string backend = GENERATE(from_range(test::backend_names()));
  std::mt19937 rng(5);
  const test::Contigs targets = related_contigs(rng), queries = {test::random_bases(50, 4, rng) + targets[2]};
  const auto regions = longest_regions(sequences_of(targets), sequences_of(queries), {}, Context({backend, 1}));
  REQUIRE(regions.size() == targets.size());
  test::MatchQuestion question{targets, queries, Strands::both, {}};
  question.options.min_length = 1;
  for (std::uint32_t target = 0; target < targets.size(); ++target) {
    std::uint64_t longest = 0;
    for (const CommonRegion& match : test::expected_matches(question))
      if (match.target == target) longest = std::max(longest, match.length);
    CHECK(regions[target].region.target == target);
    CHECK(regions[target].region.length == longest);
    CHECK(regions[target].target_count >= 1);
  }
}

TEST_CASE("common extensions are those of a comparison base by base", "[api][backend]") {
  const std::string backend = GENERATE(from_range(test::backend_names()));
  std::mt19937 rng(6);
  test::Contigs contigs = related_contigs(rng);
  contigs.push_back(std::string(200, 'A'));
  std::vector<StrandPositionPair> pairs;
  const auto draw = [&] {
    const auto sequence = static_cast<std::uint32_t>(rng() % contigs.size());
    return StrandPosition{rng() % contigs[sequence].size(), sequence, rng() % 2 == 0};
  };
  for (int i = 0; i < 2000; ++i) pairs.push_back({draw(), draw()});
  const auto lengths = common_extensions(sequences_of(contigs), pairs, Context({backend, 2}));
  REQUIRE(lengths.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) REQUIRE(lengths[i] == shared_from(contigs, pairs[i]));
  CHECK(common_extensions(sequences_of(contigs), {}).empty());
  CHECK_THROWS_AS(common_extensions(sequences_of(contigs), {{{200, 3, false}, {}}}), std::invalid_argument);
  CHECK_THROWS_AS(common_extensions(sequences_of(contigs), {{{0, 9, false}, {}}}), std::invalid_argument);
}

TEST_CASE("bad sequences and options are reported", "[api]") {
  const auto problem = [](const std::vector<Sequence>& targets, const std::vector<Sequence>& queries,
                          const MatchOptions& options) {
    return test::message_of<InputError>([&] { maximal_matches(targets, queries, options, Context({"cpu", 1})); });
  };
  CHECK(problem({}, {}, {}) == "there are no targets; give at least one sequence");
  CHECK(problem({{"a", "ACGT"}}, {{"", "AC*"}}, {}).starts_with("query 0 (\"\"): position 2: '*' is no nucleotide"));
  CHECK(test::contains(problem({{"a", "ACGT"}}, {}, {0}), "min_length above 0"));
  CHECK(test::contains(problem({{"a", "ACGT"}}, {}, {1, Uniqueness::in_both}), "give queries"));
  CHECK(test::contains(problem({{"a", "ACGT"}}, {}, {1, Uniqueness::any, false, Strands::reverse}), "on both strands"));
}

}  // namespace warpseed
