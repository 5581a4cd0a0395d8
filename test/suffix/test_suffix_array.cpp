#include "suffix/suffix_array.hpp"

#include "catch.hpp"
#include "core/error.hpp"
#include "oracle.hpp"
#include "suffix/divsufsort_path.hpp"

namespace warpseed {

namespace {

template <class Pos>
std::vector<std::uint64_t> widened(const std::vector<Pos>& values) {
  return {values.begin(), values.end()};
}

constexpr Backend cpu = {};

}  // namespace

TEST_CASE("the suffix array agrees with a naive sort", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  constexpr unsigned seed = 20250611;
  for (const test::NamedText& text : test::hurting_texts(seed)) {
    CAPTURE(to_string(backend), text.name, seed);
    const Genome genome = test::genome_of(text.contigs);
    const auto expected = test::sorted_suffixes(test::symbols_of(text.contigs));
    REQUIRE(genome.text_size() == expected.size());
    REQUIRE(widened(suffix_array<std::uint32_t>(genome.view(), backend)) == expected);
  }
}

TEST_CASE("64-bit positions give the same suffix array", "[suffix]") {
  for (const test::NamedText& text : test::hurting_texts(1)) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const auto narrow = suffix_array<std::uint32_t>(genome.view(), cpu);
    REQUIRE(suffix_array<std::uint64_t>(genome.view(), cpu) == widened(narrow));
    if (narrow.empty()) continue;
    // Texts from 2^31 symbols on are sorted in 64 bits and narrowed: here with the limit lowered.
    REQUIRE(sort_by_divsufsort<std::uint32_t>(genome.view(), 1, 0) == narrow);
  }
}

TEST_CASE("separators keep their order with one, two and three digits", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t contigs = GENERATE(2, 256, 257, 300, 65536, 65537, 70000);
  const unsigned seed = 77U + static_cast<unsigned>(contigs);
  CAPTURE(to_string(backend), contigs, seed);
  std::mt19937 rng(seed);
  test::Contigs text;
  for (std::size_t i = 0; i < contigs; ++i) text.push_back(test::random_letters(1 + rng() % 4, 2, rng));
  const Genome genome = test::genome_of(text);
  const auto expected = test::sorted_suffixes(test::symbols_of(text));
  const auto suffixes = suffix_array<std::uint32_t>(genome.view(), backend);
  REQUIRE(std::equal(suffixes.begin(), suffixes.end(), expected.begin(), expected.end()));
}

TEST_CASE("backends and thread counts sort a big text alike", "[suffix][backend]") {
  constexpr unsigned seed = 5;
  CAPTURE(seed);
  const Genome genome = test::genome_of(test::big_text(1'500'000, seed));
  const auto expected = suffix_array<std::uint32_t>(genome.view(), cpu);
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend));
    const bool same = suffix_array<std::uint32_t>(genome.view(), backend) == expected;
    REQUIRE(same);
  }
}

TEST_CASE("sorters go by name, and a backend refuses one it lacks", "[suffix]") {
  CHECK(choose_sorter("automatic", cpu) == SuffixSorter::divsufsort);
  CHECK(choose_sorter("divsufsort", cpu) == SuffixSorter::divsufsort);
  CHECK(choose_sorter("automatic", {BackendKind::cuda, 0, 1}) == SuffixSorter::prefix_doubling);
  CHECK_THROWS_AS(choose_sorter("prefix-doubling", cpu), BackendError);
  CHECK_THROWS_AS(choose_sorter("divsufsort", Backend{BackendKind::cuda, 0, 1}), BackendError);
  CHECK_THROWS_AS(choose_sorter("quicksort", cpu), InputError);
  const Genome genome = test::genome_of({"ACGT"});
  CHECK_THROWS_AS(suffix_array<std::uint32_t>(genome.view(), cpu, SuffixSorter::prefix_doubling), BackendError);
}

}  // namespace warpseed
