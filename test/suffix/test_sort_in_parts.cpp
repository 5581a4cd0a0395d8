// Sorting in parts on the CPU: any number of parts and threads, texts that fill one bucket or tie everywhere.
#include "suffix/sort_in_parts.hpp"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

#include "catch.hpp"
#include "long_texts.hpp"
#include "oracle.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/parts_needs.hpp"
#include "suffix/separator_map.hpp"
#include "suffix/suffix_array.hpp"
#include "suffix/word_sort.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

/// The suffix array from rows that came once each. words: in memory at a time.
template <class Pos>
std::vector<Pos> sorted_in_parts(const Genome& genome, int threads, std::uint64_t words) {
  const GenomeView view = genome.view();
  const SeparatorMap separators(view);
  const std::uint64_t bytes =
      parts_needs(view.text.size, sizeof(Pos), threads).other_bytes + words * sizeof(typename SuffixWords<Pos>::Word);
  std::vector<Pos> suffixes(view.text.size, static_cast<Pos>(view.text.size));
  std::atomic<bool> right = true;
  sort_in_parts<Pos>(view, separators.view(), threads, bytes, [&](const SortedRows<Pos>& rows) {
    for (std::uint64_t i = 0; i < rows.count(); ++i) {
      const Pos at = rows.position(i);
      const unsigned upstream = at == 0 ? 0 : view.text[at - 1];  // a separator is stored as 0
      if (rows.upstream(i) != upstream || suffixes[rows.first + i] != view.text.size) right = false;
      suffixes[rows.first + i] = at;
    }
  });
  REQUIRE(right);
  return suffixes;
}

template <class Pos>
bool same(const std::vector<Pos>& suffixes, const std::vector<std::uint32_t>& expected) {
  return std::equal(suffixes.begin(), suffixes.end(), expected.begin(), expected.end());
}

}  // namespace

TEST_CASE("long texts that tie everywhere are sorted in parts as by divsufsort", "[suffix]") {
  const tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 7);  // whatever the machine has
  for (const test::NamedText& text : test::long_texts()) {
    const Genome genome = test::genome_of(text.contigs);
    const auto expected = sort_by_divsufsort<std::uint32_t>(genome.view(), 2);
    for (const int threads : {1, 2, 7}) {
      CAPTURE(text.name, threads);
      REQUIRE(same(sorted_in_parts<std::uint32_t>(genome, threads, genome.text_size()), expected));
    }
    CAPTURE(text.name);
    REQUIRE(same(sorted_in_parts<std::uint64_t>(genome, 2, genome.text_size()), expected));
  }
}

TEST_CASE("any number of parts gives the same rows", "[suffix]") {
  std::mt19937 rng(32);
  const Genome genome = test::genome_of({test::random_bases(50'000, 4, rng), test::random_bases(20'000, 5, rng)});
  const auto expected = sort_by_divsufsort<std::uint32_t>(genome.view(), 1);
  for (const std::uint64_t words : {8000U, 8001U, 20'000U, 69'999U, 1'000'000U}) {
    CAPTURE(words);
    REQUIRE(same(sorted_in_parts<std::uint32_t>(genome, 2, words), expected));
    REQUIRE(same(sorted_in_parts<std::uint64_t>(genome, 1, words), expected));
  }
}

TEST_CASE("sorting in parts needs room for the suffixes that begin alike", "[suffix]") {
  const Genome genome = test::genome_of({std::string(1000, 'C')});
  CHECK_THROWS_AS(sorted_in_parts<std::uint32_t>(genome, 1, 900), IoError);
  SortOptions options;
  options.host_bytes = 1000;
  CHECK_THROWS_AS(suffix_array<std::uint32_t>(genome.view(), Backend{}, options), IoError);
  CHECK(parts_needs(0, 4, 1).within(1 << 24) <= std::uint64_t{1} << 24);
  CHECK_THROWS_AS(parts_needs(1'000'000, 4, 1).within(1000), IoError);
}

TEST_CASE("a block is marked where it or its reach has a separator", "[suffix]") {
  std::mt19937 rng(34);
  test::Contigs contigs;
  for (int i = 0; i < 60; ++i) contigs.push_back(test::random_bases(1 + rng() % 900, 4, rng));
  const Genome genome = test::genome_of(contigs);
  const SeparatorMap map(genome.view());
  const std::uint64_t words = genome.text_size() / 32 + 2;
  for (std::uint64_t block = 0; block < SeparatorView::block_count(genome.text_size()); ++block) {
    CAPTURE(block);
    const bool marked = map.view().blocks[block / 32] >> (block % 32) & 1;
    REQUIRE(marked == SeparatorView::block_has_any(map.view().bits, words, block));
  }
}

TEMPLATE_TEST_CASE("words are sorted by some of their bits", "[suffix]", std::uint64_t, DoubleWord) {
  std::mt19937_64 rng(33);
  constexpr unsigned bits = 8 * sizeof(TestType);
  for (const std::size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 100U, 3000U, 20'000U}) {
    for (const std::uint64_t values : {1U, 2U, 50U, 1U << 20}) {  // few values: long runs
      CAPTURE(count, values);
      std::vector<TestType> words(count), scratch(count);
      for (std::size_t i = 0; i < count; ++i) words[i] = TestType{rng() % values} << (bits - 30) | i;
      std::shuffle(words.begin(), words.end(), rng);
      auto expected = words;
      WordSort<TestType>::sort(words.data(), scratch.data(), count, bits - 30, bits);
      const bool in_order = std::is_sorted(words.begin(), words.end(),
                                           [](TestType a, TestType b) { return a >> (bits - 30) < b >> (bits - 30); });
      REQUIRE(in_order);
      std::sort(words.begin(), words.end());
      std::sort(expected.begin(), expected.end());
      const bool all = words == expected;
      REQUIRE(all);
    }
  }
}

}  // namespace warpseed
