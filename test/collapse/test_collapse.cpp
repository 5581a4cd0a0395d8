#include "collapse/collapse.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "catch.hpp"
#include "collapse/collapse_writer.hpp"
#include "reads/helpers.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace collapse;
using namespace reads;

namespace {

using Reads = std::vector<test::Read>;

/// Returns reads that are in memory already.
class ListSource final : public ReadSource {
 public:
  explicit ListSource(const Reads& reads) : reads_(reads) {}
  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    for (; batch.size() < count && at_ < reads_.size(); ++at_) {
      batch.add(reads_[at_].name, reads_[at_].comment, reads_[at_].bases, reads_[at_].qualities);
    }
    return !batch.empty();
  }

 private:
  const Reads& reads_;
  std::size_t at_ = 0;
};

ReadStore store_of(const Reads& reads) {
  ListSource source(reads);
  return {source, {}};
}

std::string upper(std::string text) {
  for (char& letter : text) letter = static_cast<char>(letter >= 'a' ? letter - 32 : letter);
  return text;
}

std::string reverse(const std::string& text) {
  std::string other(text.rbegin(), text.rend());
  for (char& letter : other) letter = "TGCAN"[std::string("ACGTN").find(letter)];
  return other;
}

std::string key_of_unit(const Reads& reads, const CollapseOptions& options, std::size_t unit) {
  if (options.paired) {
    const std::string first = upper(reads[2 * unit].bases), second = upper(reads[2 * unit + 1].bases);
    const std::string key = first + " " + second;
    return options.reverse_complement ? std::max(key, second + " " + first) : key;
  }
  const std::string key = upper(reads[unit].bases);
  return options.reverse_complement ? std::max(key, reverse(key)) : key;
}

int quality_of_unit(const Reads& reads, bool paired, std::size_t unit) {
  int sum = 0;
  for (std::size_t i = paired ? 2 * unit : unit; i < (paired ? 2 * unit + 2 : unit + 1); ++i) {
    for (const char quality : reads[i].qualities) sum += quality;
  }
  return sum;
}

std::vector<Collapsed> wanted_runs(const Reads& reads, const CollapseOptions& options) {
  std::map<std::string, Collapsed> runs;
  for (std::uint32_t unit = 0; unit < reads.size() / (options.paired ? 2 : 1); ++unit) {
    const auto [at, is_new] = runs.try_emplace(key_of_unit(reads, options, unit), Collapsed{unit, unit, 0});
    Collapsed& run = at->second;
    ++run.count;
    const bool better =
        quality_of_unit(reads, options.paired, unit) > quality_of_unit(reads, options.paired, run.representative);
    if (options.representative == Representative::best && better) run.representative = unit;
  }
  std::vector<Collapsed> kept;
  for (const auto& [key, run] : runs) {
    if (run.count >= options.min_count) kept.push_back(run);
  }
  std::sort(kept.begin(), kept.end(), [&](const Collapsed& a, const Collapsed& b) {
    const bool by_count = options.order == CollapseOrder::count && a.count != b.count;
    return by_count ? a.count > b.count : a.first < b.first;
  });
  return kept;
}

/// Short reads over few bases, so that many recur.
Reads recurring_reads(std::size_t count, std::mt19937& rng) {
  Reads reads;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = rng() % 6;
    reads.emplace_back(std::to_string(i), "", test::random_text(length, "ACGTNacgtn", rng),
                       test::random_text(length, "#5I", rng));
  }
  return reads;
}

}  // namespace

TEST_CASE("identical reads and pairs are found and counted", "[collapse][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 12;
  std::mt19937 rng(seed);
  for (const std::size_t count : {0, 1, 2, 3, 64, 70000}) {
    const Reads reads = recurring_reads(count, rng);
    const ReadStore store = store_of(reads);
    REQUIRE(store.size() == count);
    for (unsigned choice = 0; choice < 16; ++choice) {
      CollapseOptions options;
      options.paired = (choice & 1) != 0 && count % 2 == 0;
      options.reverse_complement = (choice & 2) != 0;
      options.representative = (choice & 4) != 0 ? Representative::first : Representative::best;
      options.order = (choice & 8) != 0 ? CollapseOrder::input : CollapseOrder::count;
      options.min_count = choice % 3 == 0 ? 2 : 1;
      CAPTURE(to_string(backend), count, choice, seed);
      const bool same = collapse::collapse(store, options, backend).kept == wanted_runs(reads, options);
      REQUIRE(same);
    }
  }
}

TEST_CASE("bases are compared as written, on both strands if requested", "[collapse]") {
  const auto distinct = [](const std::vector<std::string>& bases, bool reverse_complement) {
    Reads reads;
    for (const std::string& text : bases) reads.emplace_back("r", "", text, "");
    CollapseOptions options;
    options.reverse_complement = reverse_complement;
    return collapse::collapse(store_of(reads), options, Backend{}).distinct;
  };
  CHECK(distinct({"ACGN", "acgn", "ACGT", "ACGR"}, false) == 3);
  CHECK(distinct({"AAC", "GTT", "AACA", ""}, false) == 4);
  CHECK(distinct({"AAC", "GTT", "gtt", "AACA", ""}, true) == 3);
  CHECK(distinct({"RYSWKMBDHVN", "NBDHVKMWSRY"}, true) == 1);
  CHECK(distinct({"AAU", "AAT"}, false) == 2);
  CHECK(distinct({"AAU", "AAT", "ATT", "AUU"}, true) == 1);
}

TEST_CASE("the border between mates counts", "[collapse]") {
  Reads reads = {{"a", "", "ACG", ""}, {"a", "", "T", ""}, {"b", "", "AC", ""}, {"b", "", "GT", ""}};
  CollapseOptions options;
  options.paired = true;
  CHECK(collapse::collapse(store_of(reads), options, Backend{}).distinct == 2);
  reads.pop_back();
  CHECK_THROWS_AS(collapse::collapse(store_of(reads), options, Backend{}), std::invalid_argument);
}

TEST_CASE("collapsed reads are written with their count", "[collapse]") {
  const test::TempFolder folder;
  const Reads pairs = {{"a", "x y", "ACG", "III"}, {"a", "", "T", "#"}, {"b", "", "acg", "JJJ"}, {"b", "", "T", "#"}};
  const ReadStore store = store_of(pairs);
  const std::vector<Collapsed> kept = {{0, 0, 2}};
  CHECK(choose_collapse_format("auto", store) == CollapseFormat::fastq);
  CHECK(choose_collapse_format("auto", store_of({{"a", "", "A", ""}})) == CollapseFormat::fasta);
  CHECK_THROWS_AS(choose_collapse_format("fastq", store_of({{"a", "", "A", ""}})), InputError);
  write_collapsed(store, true, kept, {folder.file("1.fq"), folder.file("2.fq"), CollapseFormat::fastq});
  CHECK(test::content_of(folder.file("1.fq")) == "@a;size=2 x y\nACG\n+\nIII\n");
  CHECK(test::content_of(folder.file("2.fq")) == "@a;size=2\nT\n+\n#\n");
  write_collapsed(store, true, kept, {folder.file("a.fa"), "", CollapseFormat::fasta});
  CHECK(test::content_of(folder.file("a.fa")) == ">a;size=2 x y\nACG\n>a;size=2\nT\n");
  write_collapsed(store, true, kept, {folder.file("a.tsv"), "", CollapseFormat::tsv});
  CHECK(test::content_of(folder.file("a.tsv")) == "#count\tsequence1\tsequence2\tname\n2\tACG\tT\ta\n");
  write_collapsed(store, false, kept, {folder.file("b.tsv"), "", CollapseFormat::tsv});
  CHECK(test::content_of(folder.file("b.tsv")) == "#count\tsequence\tname\n2\tACG\ta\n");
  CHECK_THROWS_AS(write_collapsed(store, true, kept, {folder.file("1"), folder.file("2"), CollapseFormat::tsv}),
                  InputError);
}

}  // namespace warpseed
