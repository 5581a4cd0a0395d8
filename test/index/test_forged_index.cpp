// Index files with right checksums and wrong content: they are refused, or used without harm.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>

#include "approximate/approximate_search.hpp"
#include "catch.hpp"
#include "core/memory.hpp"
#include "core/temp_folder.hpp"
#include "devices.hpp"
#include "fm_helpers.hpp"
#include "index/index_file.hpp"
#include "index_bytes.hpp"
#include "oracle.hpp"
#include "overlap/matches/match_run.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/aligner.hpp"
#include "warpseed/error.hpp"
#include "warpseed/search.hpp"

namespace warpseed {

namespace {

namespace format = index::format;

/// An index, as bytes, with what is asked of forged versions of it.
struct Original {
  std::string bytes;
  std::vector<std::string> patterns;  // one in each strand, some with differences
  std::vector<std::string> reads;     // pairs
  std::string long_read;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<Original> make_originals(const test::TempFolder& folder) {
  std::mt19937 rng(5);
  const std::string repeat = test::random_bases(300, 4, rng), whole = test::random_bases(3000, 4, rng);
  const std::vector<std::string> contigs = {whole + std::string(50, 'N') + repeat + whole.substr(100, 700) + repeat,
                                            repeat + test::random_bases(500, 4, rng) + std::string(7, 'N'),
                                            std::string(400, 'A') + test::random_bases(40, 4, rng)};
  const text::Genome genome = test::genome_of(contigs);
  std::vector<Original> originals;
  for (const unsigned step : {1U, 4U, 64U}) {
    index::BuildOptions options;
    options.sample_step = step;
    const index::FmIndex narrow = index::build_fm_index(genome.view(), Backend{}, options);
    const std::string path = folder.file("original.wsi");
    index::write_index(path, index::Index(genome, step == 4 ? test::widened(narrow) : narrow));
    Original& original = originals.emplace_back();
    original.bytes = read_file(path);
    original.patterns = {repeat.substr(10, 12), whole.substr(2970, 30), std::string(25, 'A'), "ACG", "T"};
    for (std::size_t at = 0; at + 500 < whole.size(); at += 300) {
      original.reads.push_back(whole.substr(at, 100));
      original.reads.push_back(repeat.substr(0, 60) + whole.substr(at + 300, 40));
    }
    original.long_read = whole.substr(200, 1500) + repeat + whole.substr(900, 1200);
  }
  return originals;
}

/// Changes some numbers of the file, often to those that borders are made of.
class Forger {
 public:
  Forger(std::string& bytes, std::uint64_t seed) : bytes_(bytes), rng_(seed) {}

  void forge() {
    const unsigned edits = 1 + static_cast<unsigned>(rng_() % 4);
    for (unsigned i = 0; i < edits; ++i) rng_() % 8 == 0 ? change_table() : change_section();
    test::seal(bytes_);
  }

 private:
  std::uint64_t number(std::size_t at, std::size_t width) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, width);
    return value;
  }

  std::uint64_t other(std::uint64_t value, std::uint64_t neighbour) {
    switch (rng_() % 10) {
      case 0: return 0;
      case 1: return ~std::uint64_t{0};
      case 2: return value + 1;
      case 3: return value - 1;
      case 4: return value ^ std::uint64_t{1} << rng_() % 64;
      case 5: return neighbour;
      case 6: return std::uint64_t{1} << rng_() % 64;
      case 7: return value + rng_() % 1000;
      case 8: return value - rng_() % 1000;
      default: return rng_();
    }
  }

  void change(std::size_t begin, std::size_t end) {
    const std::size_t width = std::size_t{1} << rng_() % 4;
    if (end - begin < width) return;
    const std::size_t at = begin + rng_() % ((end - begin) / width) * width,
                      neighbour = begin + rng_() % ((end - begin) / width) * width;
    const std::uint64_t value = other(number(at, width), number(neighbour, width));
    std::memcpy(bytes_.data() + at, &value, width);
  }

  void change_table() { change(0, sizeof(format::Front)); }

  void change_section() {
    const format::Front front = test::front_of(bytes_);
    const format::Entry& entry = front.entries[rng_() % format::section_count];
    if (entry.offset > bytes_.size() || entry.bytes > bytes_.size() - entry.offset) return;
    change(entry.offset, entry.offset + entry.bytes);
  }

  std::string& bytes_;
  std::mt19937_64 rng_;
};

void search(const index::Index& index, const Original& original, const Backend& backend) {
  approximate::SetBatch patterns;
  for (const std::string& pattern : original.patterns) {
    if (pattern.size() > 10) patterns.add_iupac(pattern);
  }
  for (const bool edits : {false, true}) {
    approximate::SearchOptions options;
    options.differences = 2;
    options.metric = edits ? approximate::Metric::edits : approximate::Metric::mismatches;
    const approximate::Target target = {index.genome(), index.fm()};
    approximate::ApproximateSearch search(target, backend, options);
    search.find(patterns);
    for (std::uint64_t i = 0; i < patterns.count(); ++i) search.locate(i, {});
  }
}

void overlap_with(const std::string& path, const Original& original, const Backend& backend) {
  std::vector<overlap::SequenceFile> targets, queries;
  targets.emplace_back(path);
  queries.emplace_back("query", test::genome_of({original.long_read}));
  const overlap::SequenceText text(targets, queries, Strands::both, 1);
  for (const Uniqueness uniqueness : {Uniqueness::any, Uniqueness::in_both}) {
    MatchOptions options;
    options.uniqueness = uniqueness;
    overlap::for_each_match(text, options, backend, [](std::span<const CommonRegion>) {});
  }
}

/// What a user does with an index. Returns whether it was opened.
bool use(const std::string& path, const Original& original, const Backend& backend) {
  const Context context({.backend = to_string(backend), .threads = backend.threads});
  try {
    const Index index = Index::open(path);
    Searcher searcher(index, context);
    for (const std::string& pattern : original.patterns) searcher.locate(pattern, 1000);
    Aligner aligner(index, context);
    const std::vector<std::string_view> reads(original.reads.begin(), original.reads.end());
    aligner.align_pairs(reads);
    aligner.align_batch(reads);
    aligner.align(original.long_read);
    search(index::Index(path), original, backend);
    overlap_with(path, original, backend);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Makes the memory that this process has now its peak_memory_bytes(). Returns false if the kernel does not.
[[maybe_unused]] bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << 5 << std::flush);
}

/// Uses forged versions of some indices; returns how many of them were opened.
std::uint64_t use_forged(std::uint64_t first, std::uint64_t count, const Backend& backend) {
  const test::TempFolder folder;
  const std::vector<Original> originals = make_originals(folder);
  std::uint64_t opened = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("forged with seed " << seed);
    const Original& original = originals[seed % originals.size()];
    std::string bytes = original.bytes;
    Forger(bytes, seed).forge();
    const std::string path = folder.file("forged.wsi");
    write_file(path, bytes);
    const std::clock_t begin = std::clock();  // the time of all threads, not of other programs
    opened += use(path, original, backend);
    REQUIRE(std::clock() - begin < 5 * CLOCKS_PER_SEC);
    std::remove(path.c_str());
  }
  return opened;
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("originals of forged indices are opened", "[index]") {
  const test::TempFolder folder;
  for (const Original& original : make_originals(folder)) {
    write_file(folder.file("good.wsi"), original.bytes);
    CHECK(use(folder.file("good.wsi"), original, Backend{}));
  }
}

TEST_CASE("forged indices do no harm", "[index]") {
  const std::uint64_t count = 300, opened = use_forged(1, count, Backend{});
  CHECK(opened > count / 20);  // the others are refused
  CHECK(opened < count);
}

TEST_CASE("opening a forged index takes no more than four times the memory of its file", "[index]") {
#ifdef WS_SANITIZED
  WARN("skipped: a sanitizer takes memory itself");
#else
  const std::uint64_t count = number_from("WARPSEED_COUNT", 60);
  const test::TempFolder folder;
  std::mt19937 rng(6);
  const text::Genome genome = test::genome_of({test::random_bases(3'000'000, 4, rng), test::random_bases(900, 4, rng)});
  index::write_index(folder.file("original.wsi"),
                     index::Index(genome, index::build_fm_index(genome.view(), Backend{})));
  const std::string original = read_file(folder.file("original.wsi")), path = folder.file("forged.wsi");
  std::uint64_t opened = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    CAPTURE(seed);
    std::string bytes = original;
    Forger(bytes, seed).forge();
    write_file(path, bytes);
    std::string().swap(bytes);
    if (!forget_peak()) {
      WARN("skipped: the kernel does not reset the peak of a process's memory");
      return;
    }
    const std::uint64_t before = peak_memory_bytes();
    try {
      const index::Index index(path);
      ++opened;
    } catch (const InputError&) {  // with a message, see above
    }
    REQUIRE(peak_memory_bytes() - before <= 4 * original.size());
  }
  CHECK(opened > count / 20);
  CHECK(opened < count);
#endif
}

TEST_CASE("forged indices do no harm on a device", "[index][gpu]") {
  for (const Backend& device : test::devices()) use_forged(1, 150, device);
}

TEST_CASE("many forged indices do no harm", "[.forged]") {
  const std::uint64_t first = number_from("WARPSEED_FIRST", 1), count = number_from("WARPSEED_COUNT", 100'000);
  WARN(use_forged(first, count, Backend{}) << " of " << count << " were opened");
}

}  // namespace warpseed
