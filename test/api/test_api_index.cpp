#include <algorithm>
#include <fstream>
#include <iterator>
#include <tuple>

#include "api_backends.hpp"
#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"
#include "warpseed/index.hpp"
#include "warpseed/search.hpp"

namespace warpseed {

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Sequence> sequences_of(const test::Contigs& contigs, const std::vector<std::string>& names) {
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i < contigs.size(); ++i) sequences.push_back({names[i], contigs[i]});
  return sequences;
}

}  // namespace

TEST_CASE("an index from memory has the bytes of one from FASTA", "[api][backend]") {
  const test::TempFolder folder;
  std::mt19937 rng(11);
  const std::string first = test::random_bases(5000, 5, rng), second = "acgtuNNryACGT" + test::random_bases(70, 4, rng);
  std::ofstream(folder.file("ref.fa")) << ">one more\n" << first << "\n>two\n" << second << '\n';
  const std::string backend = GENERATE(from_range(test::backend_names()));
  const std::uint32_t step = GENERATE(1U, 4U, 32U);
  CAPTURE(backend, step);
  const Context context({backend, 2});
  CHECK(context.backend() == backend);
  CHECK(context.threads() == 2);

  const Index index = Index::build({{"one", first}, {"two", second}}, context, {step});
  Index::build_from_fasta({folder.file("ref.fa")}, context, {step}).save(folder.file("file.wsi"));
  index.save(folder.file("memory.wsi"));
  CHECK(content_of(folder.file("memory.wsi")) == content_of(folder.file("file.wsi")));

  const Index opened = Index::open(folder.file("memory.wsi"), context);
  opened.save(folder.file("again.wsi"));
  CHECK(content_of(folder.file("again.wsi")) == content_of(folder.file("file.wsi")));
  for (const Index& each : {index, opened}) {
    REQUIRE(each.contig_count() == 2);
    CHECK(each.contig(1).name == "two");
    CHECK(each.contig(1).length == second.size());
    CHECK(each.bases(0, 0, first.size()) == first);
    CHECK(each.bases(0, 17, 17).empty());
    CHECK(each.bases(1, 0, 13) == "ACGTTNNNNACGT");
    CHECK_THROWS_AS(each.contig(2), std::invalid_argument);
    CHECK_THROWS_AS(each.bases(0, 1, first.size() + 1), std::invalid_argument);
    CHECK_THROWS_AS(each.bases(0, 2, 1), std::invalid_argument);
  }
}

TEST_CASE("errors in contigs give number, name and position", "[api]") {
  const auto problem = [](const std::vector<Sequence>& contigs) {
    return test::message_of<InputError>([&] { Index::build(contigs); });
  };
  CHECK(problem({}) == "an index needs at least one contig; none was given");
  CHECK(problem({{"a", "ACGT"}, {"", "ACGT"}}) == "contig 1 (\"\"): the name is empty; give it one");
  CHECK(problem({{"a", "ACGT"}, {"b", ""}}) == "contig 1 (\"b\"): it has no bases; leave it out");
  CHECK(problem({{"a", "ACXT"}}).starts_with("contig 0 (\"a\"): position 2: letter 'X' is no nucleotide"));
  CHECK(problem({{"a", "A"}, {"b", "A"}, {"a", "A"}}) ==
        "contig 2 (\"a\"): contig 0 has the same name; rename one of them");
  CHECK(test::contains(problem({{"*a", "A"}}), "means something else in SAM"));
  CHECK(test::contains(problem({{"a b", "A"}}), "in a sequence's name"));
  CHECK(test::contains(test::message_of<InputError>([] {
                         Index::build({{"a", "A"}}, Context(), {3});
                       }),
                       "power of two"));
  CHECK_THROWS_AS(Index::build_from_fasta({}), InputError);
  CHECK_THROWS_AS(Index::build_from_fasta({"/no/such/file.fa"}), InputError);
  CHECK_THROWS_AS(Index::open("/no/such/file.wsi"), InputError);
}

TEST_CASE("a context rejects bad options", "[api]") {
  CHECK_THROWS_AS(Context({"gpu"}), InputError);
  CHECK_THROWS_AS(Context({"cpu", -1}), InputError);
  CHECK_THROWS_AS(Context({"cuda:99"}), BackendError);
  CHECK(Context({"cpu"}).threads() >= 1);
  CHECK(Context({"cpu", 3}).threads() == 3);
}

/// All patterns of A, C, G and T that one with N or R stands for.
std::vector<std::string> meanings_of(const std::string& pattern) {
  const std::size_t at = pattern.find_first_of("NR");
  if (at == std::string::npos) return {pattern};
  std::vector<std::string> meanings;
  for (const char base : std::string(pattern[at] == 'N' ? "ACGT" : "AG")) {
    std::string chosen = pattern;
    chosen[at] = base;
    for (std::string& meaning : meanings_of(chosen)) meanings.push_back(std::move(meaning));
  }
  return meanings;
}

TEST_CASE("patterns are counted and located where a scan finds them", "[api][backend]") {
  std::mt19937 rng(12);
  const test::Contigs contigs = {test::random_bases(400, 5, rng), "ACGACGACGACG", test::random_bases(90, 2, rng)};
  const std::string backend = GENERATE(from_range(test::backend_names()));
  const Strands strands = GENERATE(Strands::both, Strands::forward, Strands::reverse);
  CAPTURE(backend, static_cast<int>(strands));
  const Context context({backend, 2});
  Searcher searcher(Index::build(sequences_of(contigs, {"a", "b", "c"}), context), context, strands);

  std::vector<std::string> patterns = {"", "N", "ACG", "acg", "ACNT", "CGT", "RCNG"};
  for (int i = 0; i < 200; ++i) patterns.push_back(test::random_bases(1 + rng() % 6, 4, rng));
  std::vector<std::vector<Occurrence>> expected;
  for (const std::string& pattern : patterns) {
    std::string upper = pattern == "acg" ? "ACG" : pattern;
    std::vector<Occurrence>& found = expected.emplace_back();
    if (pattern.empty()) continue;
    for (const std::string& meaning : meanings_of(upper)) {
      if (strands != Strands::reverse)
        for (const auto& [contig, at] : test::positions_of(contigs, meaning)) found.push_back({contig, at, false});
      if (strands != Strands::forward)
        for (const auto& [contig, at] : test::positions_of(contigs, test::reverse_complement(meaning)))
          found.push_back({contig, at, true});
    }
    std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
      return std::tuple(a.contig, a.position, a.reverse) < std::tuple(b.contig, b.position, b.reverse);
    });
  }
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  CHECK(searcher.locate_batch(views) == expected);
  const std::vector<std::uint64_t> counts = searcher.count_batch(views);
  for (std::size_t i = 0; i < counts.size(); ++i) REQUIRE(counts[i] == expected[i].size());
  const std::vector<StrandCounts> by_strand = searcher.count_strands_batch(views);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto on_reverse = static_cast<std::uint64_t>(std::count_if(
        expected[i].begin(), expected[i].end(), [](const Occurrence& occurrence) { return occurrence.reverse; }));
    REQUIRE(by_strand[i] == StrandCounts{expected[i].size() - on_reverse, on_reverse});
    REQUIRE(by_strand[i].total() == counts[i]);
  }
  CHECK(searcher.count(patterns[2]) == expected[2].size());
  CHECK(searcher.locate(patterns[2], 1).size() == std::min<std::size_t>(1, expected[2].size()));
  CHECK(searcher.count_batch({}).empty());
  CHECK(test::message_of<InputError>([&] {
          searcher.count_batch({"ACG", "A?"});
        }).starts_with("pattern 1: position 1: letter '?' is no nucleotide"));
}

}  // namespace warpseed
