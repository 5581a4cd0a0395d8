#include "index/fm_index.hpp"

#include <oneapi/tbb/global_control.h>

#include "catch.hpp"
#include "core/parallel.hpp"
#include "fm_helpers.hpp"
#include "index/fm_builder.hpp"
#include "index/index_file.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace index;
using namespace suffix;
using namespace text;

namespace {

constexpr std::uint64_t first_base = 1'000'000'000;  // symbols_of() maps A to this; lower numbers are separators

/// The k-mer as symbols, its first base in the highest bits.
std::vector<std::uint64_t> symbols_of_kmer(std::uint64_t kmer, std::uint32_t length) {
  std::vector<std::uint64_t> symbols(length);
  for (std::uint32_t i = 0; i < length; ++i) symbols[i] = first_base + (kmer >> 2 * (length - 1 - i) & 3);
  return symbols;
}

void check_ranks(const FmView& fm, const std::vector<std::uint64_t>& symbols,
                 const std::vector<std::uint64_t>& suffixes) {
  std::uint64_t counts[4] = {};
  for (Row row = 0; row <= suffixes.size(); ++row) {
    for (unsigned base = 0; base < 4; ++base) REQUIRE(rank(fm, base, row) == counts[base]);
    if (row == suffixes.size()) break;
    const std::uint64_t before = symbols[(suffixes[row] + symbols.size() - 1) % symbols.size()];
    if (before >= first_base) ++counts[before - first_base];
  }
}

void check_kmers(const FmView& fm, const std::vector<std::uint64_t>& symbols,
                 const std::vector<std::uint64_t>& suffixes) {
  for (std::uint64_t kmer = 0; fm.kmer_length > 0 && kmer < fm.kmer_ranges.size / 2; ++kmer) {
    const auto wanted = symbols_of_kmer(kmer, fm.kmer_length);
    RowRange expected;
    for (const std::uint64_t at : suffixes) {
      const auto begin = symbols.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = begin + std::min<std::ptrdiff_t>(symbols.end() - begin, fm.kmer_length);
      const std::vector<std::uint64_t> head(begin, end);
      expected.begin += head < wanted;
      expected.end += head <= wanted;
    }
    REQUIRE(kmer_rows(fm, kmer) == expected);
  }
}

}  // namespace

TEST_CASE("ranks, positions and k-mers match the sorted suffixes", "[index][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const std::uint32_t step = GENERATE(1, 4, 32);
  constexpr unsigned seed = 411;
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    CAPTURE(to_string(backend), step, text.name, seed);
    const auto symbols = test::symbols_of(text.contigs);
    const auto suffixes = test::sorted_suffixes(symbols);
    const Genome genome = test::genome_of(text.contigs);
    const FmIndex index = build_fm_index(genome.view(), backend, {{step}, {}});
    const FmView fm = index.view();
    REQUIRE(fm.row_count() == symbols.size());
    check_ranks(fm, symbols, suffixes);
    for (Row row = 0; row < suffixes.size(); ++row) REQUIRE(locate(fm, row) == suffixes[row]);
    check_kmers(fm, symbols, suffixes);
    REQUIRE(verify_against_text(fm, genome.view(), 1).empty());
  }
}

TEST_CASE("backends and thread counts build the same bytes", "[index][backend]") {
  constexpr unsigned seed = 9;
  CAPTURE(seed);
  const Genome genome = test::genome_of(test::big_text(1'500'000, seed));
  const FmIndex expected = build_fm_index(genome.view(), Backend{});
  REQUIRE(expected.kmer_length == 8);
  REQUIRE(verify_against_text(expected.view(), genome.view(), 2).empty());
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend));
    REQUIRE(test::same_bytes(build_fm_index(genome.view(), backend), expected));
  }
}

TEST_CASE("64-bit suffix arrays give the same index", "[index]") {
  const Genome genome = test::genome_of(test::big_text(200'000, 3));
  const auto wide = suffix_array<std::uint64_t>(genome.view(), Backend{});
  REQUIRE(test::same_bytes(fm_index_from(genome.view(), wide, 4, 2), build_fm_index(genome.view(), Backend{})));
}

TEST_CASE("the k-mer table takes at most three quarters of a byte per base", "[index]") {
  CHECK(kmer_length_for(0) == 0);
  CHECK(kmer_length_for(43) == 0);
  CHECK(kmer_length_for(44) == 1);
  CHECK(kmer_length_for(4'641'652) == 9);
  CHECK(kmer_length_for(3'100'000'000) == 13);
  CHECK(kmer_length_for(narrow_limit + 1) == 13);
  CHECK(kmer_length_for(std::uint64_t{1} << 40) == 13);
}

TEST_CASE("a sample step that is not a power of two is rejected", "[index]") {
  const Genome genome = test::genome_of({"ACGT"});
  for (const std::uint32_t step : {0U, 3U, 512U}) {
    CHECK_THROWS_AS(build_fm_index(genome.view(), Backend{}, {{step}, {}}), InputError);
  }
}

TEST_CASE("verify finds every kind of damage", "[index]") {
  const Genome genome = test::genome_of(test::big_text(20'000, 21));
  const FmIndex good = build_fm_index(genome.view(), Backend{});
  const auto finding = [&](const FmIndex& index) { return verify_against_text(index.view(), genome.view(), 2); };
  REQUIRE(finding(good).empty());
  const auto flipped = [&](auto member, std::size_t byte) {
    FmIndex bad = good;
    reinterpret_cast<unsigned char*>((bad.*member).data())[byte] ^= 0x10U;
    return finding(bad);
  };
  std::mt19937 rng(4);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    REQUIRE_FALSE(flipped(&FmIndex::blocks, rng() % (good.blocks.size() * sizeof(RankBlock))).empty());
    REQUIRE_FALSE(flipped(&FmIndex::superblocks, rng() % (good.superblocks.size() * sizeof(Superblock))).empty());
    REQUIRE_FALSE(flipped(&FmIndex::samples, rng() % good.samples.size()).empty());
    REQUIRE_FALSE(flipped(&FmIndex::segment_starts, rng() % good.segment_starts.size()).empty());
    REQUIRE_FALSE(flipped(&FmIndex::kmer_ranges, rng() % good.kmer_ranges.size()).empty());
  }
  Genome other = genome;
  other.words[3] ^= 1U << 20;
  CHECK_FALSE(verify_against_text(good.view(), other.view(), 1).empty());
}

namespace {

/// Passes on the rows of a suffix array in pieces of odd lengths, in random order.
FmIndex built_in_pieces(const Genome& genome, const std::vector<std::uint32_t>& suffixes, std::mt19937& rng) {
  std::vector<std::uint64_t> words;
  for (const std::uint32_t at : suffixes) {
    words.push_back(std::uint64_t{at} << 2 | (at == 0 ? 0U : genome.view().text[at - 1]));
  }
  std::vector<SortedRows<std::uint32_t>> pieces;
  for (std::size_t begin = 0, size = 0; begin < words.size(); begin += size) {
    size = std::min<std::size_t>(1 + rng() % 150, words.size() - begin);
    pieces.push_back({begin, std::span(words).subspan(begin, size)});
  }
  std::shuffle(pieces.begin(), pieces.end(), rng);
  FmBuilder builder(genome.view(), 4);
  for_blocks(3, pieces.size(), 8, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) builder.add(pieces[i]);
  });
  return builder.finish(2);
}

}  // namespace

TEST_CASE("rows may come in any order and in pieces that share rank blocks", "[index]") {
  std::mt19937 rng(77);
  for (const test::NamedText& text : test::difficult_texts(77)) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const auto suffixes = suffix_array<std::uint32_t>(genome.view(), Backend{});
    REQUIRE(test::same_bytes(built_in_pieces(genome, suffixes, rng), fm_index_from(genome.view(), suffixes, 4, 1)));
  }
}

TEST_CASE("every sorter, memory and number of threads gives the same index", "[index]") {
  const Genome genome = test::genome_of(test::big_text(300'000, 6));
  BuildOptions options;
  options.sorting.sorter = SuffixSorter::divsufsort;
  const FmIndex expected = build_fm_index(genome.view(), Backend{}, options);
  REQUIRE(verify_against_text(expected.view(), genome.view(), 2).empty());
  const tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 7);  // whatever the machine has
  options.sorting.sorter = SuffixSorter::difference_cover;
  for (const int threads : {1, 2, 7}) {
    for (const std::uint64_t mebibytes : {0, 46, 200}) {  // 46: too few for all rows at once
      options.sorting.host_bytes = mebibytes << 20;
      CAPTURE(threads, mebibytes);
      REQUIRE(test::same_bytes(build_fm_index(genome.view(), {BackendKind::cpu, 0, threads}, options), expected));
    }
  }
  options.sorting.host_bytes = 1;
  CHECK_THROWS_AS(build_fm_index(genome.view(), Backend{}, options), IoError);
}

}  // namespace warpseed
