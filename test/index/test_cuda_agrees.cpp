// Cases specific to the device: the edges of warps, words and blocks, and algorithms in rounds. Compares the suffix
// array of short texts with a naive sort, that of long texts with divsufsort, and the index bytes with the CPU's.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "catch.hpp"
#include "devices.hpp"
#include "index/fm_helpers.hpp"
#include "index/fm_index.hpp"
#include "index/searcher.hpp"
#include "suffix/suffix_array.hpp"

using namespace warpseed;
using namespace warpseed::index;
using namespace warpseed::suffix;
using namespace warpseed::text;

namespace {

using Contigs = std::vector<std::string>;

Genome genome_of(const Contigs& contigs) {
  GenomeBuilder builder;
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    builder.begin_contig(std::to_string(i));
    builder.add(contigs[i]);
  }
  return builder.finish();
}

std::string random_bases(std::uint64_t length, int sequence, std::mt19937_64& rng) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[rng() % static_cast<unsigned>(sequence)];
  return bases;
}

/// Naive sort that compares symbol by symbol: separators are -1 - (segments after it), bases 0..3.
std::vector<std::uint32_t> naive_suffix_array(const GenomeView& genome) {
  std::vector<std::int64_t> symbols(genome.text.size);
  for (std::uint64_t i = 0; i < symbols.size(); ++i) symbols[i] = genome.text[i];
  const auto segments = static_cast<std::int64_t>(genome.segment_count());
  for (std::int64_t i = 0; i < segments; ++i)
    symbols[genome.separator_of(static_cast<std::uint64_t>(i))] = i - segments;
  std::vector<std::uint32_t> order(symbols.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(symbols.begin() + a, symbols.end(), symbols.begin() + b, symbols.end());
  });
  return order;
}

void check_index(const GenomeView& genome, const Backend& device, const std::vector<std::uint32_t>& suffixes) {
  for (const std::uint32_t step : {1U, 4U, 32U}) {
    BuildOptions options;
    options.sample_step = step;
    CAPTURE(step);
    const FmIndex expected = fm_index_from(genome, suffixes, step, 2);
    CHECK(test::same_bytes(build_fm_index(genome, device, options), expected));
    options.sorting.max_narrow_symbols = 0;  // treats the text as if positions needed 64 bits
    CHECK(test::same_bytes(build_fm_index(genome, device, options), test::widened(expected)));
  }
}

/// Short texts: compares with the naive sort.
void check_short(const Contigs& contigs) {
  const Genome genome = genome_of(contigs);
  const std::vector<std::uint32_t> expected = naive_suffix_array(genome.view());
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    CHECK(suffix_array<std::uint32_t>(genome.view(), device) == expected);
    const std::vector<std::uint64_t> wide = suffix_array<std::uint64_t>(genome.view(), device);
    CHECK(std::equal(wide.begin(), wide.end(), expected.begin(), expected.end()));
    check_index(genome.view(), device, expected);
  }
}

/// Long texts: compares with divsufsort, which uses neither prefix doubling nor a bitmap of separators.
void check_long(const Contigs& contigs) {
  const Genome genome = genome_of(contigs);
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const auto expected = suffix_array<std::uint32_t>(genome.view(), Backend{BackendKind::cpu, 0, 2});
    CHECK(suffix_array<std::uint32_t>(genome.view(), device) == expected);
    check_index(genome.view(), device, expected);
  }
}

}  // namespace

TEST_CASE("cuda sorts contigs of lengths around words, warps and blocks", "[index][gpu]") {
  const std::uint64_t length = GENERATE(1, 2, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1025);
  const int sequence = GENERATE(1, 2, 4);
  std::mt19937_64 rng(length);
  CAPTURE(length, sequence);
  check_short({random_bases(length, sequence, rng)});
  check_short(
      {random_bases(length, sequence, rng), random_bases(length, sequence, rng), random_bases(33, sequence, rng)});
}

TEST_CASE("cuda sorts many tiny segments", "[index][gpu]") {
  const std::uint64_t longest = GENERATE(1, 2, 31, 40);
  std::mt19937_64 rng(longest);
  CAPTURE(longest);
  Contigs contigs;
  for (int i = 0; i < 300; ++i) contigs.push_back(random_bases(1 + rng() % longest, 1 + i % 4, rng) + "NN");
  check_short(contigs);
  for (int i = 0; i < 30'000; ++i) contigs.push_back(random_bases(1 + rng() % longest, 1 + i % 4, rng));
  check_long(contigs);
}

TEST_CASE("cuda sorts identical and nested contigs", "[index][gpu]") {
  std::mt19937_64 rng(5);
  const std::string contig = random_bases(700, 4, rng);
  check_short({contig, contig, contig, contig.substr(100), contig.substr(0, 600)});
  const std::string longer = random_bases(50'000, 4, rng);
  check_long(Contigs(7, longer));
}

TEST_CASE("cuda sorts what takes many rounds", "[index][gpu]") {
  const std::uint64_t size = GENERATE(65'535, 65'536, 65'537, 300'000);
  CAPTURE(size);
  std::mt19937_64 rng(size);
  check_long({std::string(size, 'A')});
  check_long({std::string(size, 'T'), std::string(size / 2, 'T')});
  std::string periodic;
  while (periodic.size() < size) periodic += "ACGTTAC";
  check_long({periodic, random_bases(1000, 4, rng) + periodic});
  std::string before = "A", fibonacci = "AC";
  while (fibonacci.size() < size) before = std::exchange(fibonacci, fibonacci + before);
  check_long({fibonacci});
}

TEST_CASE("cuda sorts a text without separators in reach of a repeat", "[index][gpu]") {
  std::mt19937_64 rng(11);
  const std::string repeat = random_bases(5000, 4, rng);
  check_long({random_bases(5'000'000, 4, rng) + repeat + random_bases(100, 4, rng) + repeat, repeat});
}

TEST_CASE("cuda finds and locates as the CPU does", "[index][gpu]") {
  std::mt19937_64 rng(3);
  const std::string contig = random_bases(70'000, 4, rng);
  const Genome genome = genome_of({contig, contig.substr(5000, 300) + "N" + contig.substr(1, 40), "ACGT"});
  const Backend cpu{BackendKind::cpu, 0, 2};
  const FmIndex index = build_fm_index(genome.view(), cpu);
  const FmView fm = index.view();
  PatternBatch patterns;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t length = rng() % 60, at = rng() % (contig.size() - length);
    std::vector<std::uint8_t> codes;
    for (std::uint64_t j = 0; j < length; ++j) codes.push_back(code_of_base(contig[at + j]));
    if (length > 0 && i % 5 == 0) codes[rng() % length] = static_cast<std::uint8_t>(rng() % 5);
    patterns.add(codes);
  }
  std::vector<Row> rows(fm.row_count());
  std::iota(rows.begin(), rows.end(), Row{0});
  std::vector<RowRange> expected(patterns.count()), found(patterns.count());
  std::vector<TextPos> expected_positions(rows.size()), positions(rows.size());
  const auto on_cpu = make_searcher(fm, cpu);
  on_cpu->find(patterns, expected);
  on_cpu->locate(rows, expected_positions);
  for (const Backend& device : test::devices()) {
    const auto searcher = make_searcher(fm, device);
    searcher->find(patterns, found);
    CHECK(found == expected);
    searcher->locate(rows, positions);
    CHECK(positions == expected_positions);
    searcher->find({}, {});
    CHECK_THROWS_AS(searcher->find(patterns, {}), std::invalid_argument);
  }
}
