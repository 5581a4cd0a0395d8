#include "suffix/suffix_array.hpp"

#include "catch.hpp"
#include "devices.hpp"
#include "oracle.hpp"
#include "suffix/difference_cover.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/merge_path_core.hpp"
#include "suffix/suffix_check.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

template <class Pos>
std::vector<std::uint64_t> widened(const std::vector<Pos>& values) {
  return {values.begin(), values.end()};
}

const Backend cpu = {};

}  // namespace

TEST_CASE("the suffix array agrees with a naive sort", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  constexpr unsigned seed = 20250611;
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    CAPTURE(to_string(backend), text.name, seed);
    const Genome genome = test::genome_of(text.contigs);
    const auto expected = test::sorted_suffixes(test::symbols_of(text.contigs));
    REQUIRE(genome.text_size() == expected.size());
    REQUIRE(widened(suffix_array<std::uint32_t>(genome.view(), backend)) == expected);
  }
}

TEST_CASE("64-bit positions give the same suffix array", "[suffix]") {
  for (const test::NamedText& text : test::difficult_texts(1)) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const auto narrow = suffix_array<std::uint32_t>(genome.view(), cpu);
    REQUIRE(suffix_array<std::uint64_t>(genome.view(), cpu) == widened(narrow));
    if (narrow.empty()) continue;
    // Texts from 2^31 symbols on are sorted in 64 bits and narrowed: tested here with a lower limit.
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
  for (std::size_t i = 0; i < contigs; ++i) text.push_back(test::random_bases(1 + rng() % 4, 2, rng));
  const Genome genome = test::genome_of(text);
  const auto expected = test::sorted_suffixes(test::symbols_of(text));
  const auto suffixes = suffix_array<std::uint32_t>(genome.view(), backend);
  REQUIRE(std::equal(suffixes.begin(), suffixes.end(), expected.begin(), expected.end()));
}

TEST_CASE("all backends and thread counts give the same array of a big text", "[suffix][backend]") {
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

TEST_CASE("every sorter of a device gives the one array", "[suffix][gpu]") {
  for (const Backend& backend : test::devices()) {
    for (const SuffixSorter sorter :
         {SuffixSorter::prefix_doubling, SuffixSorter::skew, SuffixSorter::skew_prefix_doubling}) {
      for (const test::NamedText& text : test::difficult_texts(3)) {
        CAPTURE(to_string(backend), to_string(sorter), text.name);
        const Genome genome = test::genome_of(text.contigs);
        const auto expected = test::sorted_suffixes(test::symbols_of(text.contigs));
        REQUIRE(widened(suffix_array<std::uint32_t>(genome.view(), backend, {sorter})) == expected);
      }
      const Genome genome = test::genome_of(test::big_text(300'000, 9));
      const bool same = suffix_array<std::uint32_t>(genome.view(), backend, {sorter}) ==
                        suffix_array<std::uint32_t>(genome.view(), cpu);
      REQUIRE(same);
    }
  }
}

TEST_CASE("a device with little memory sorts in parts", "[suffix][gpu]") {
  const std::size_t length = GENERATE(50'000, 1'500'000);
  const Genome genome = test::genome_of(test::big_text(length, 11));
  const auto expected = suffix_array<std::uint32_t>(genome.view(), cpu);
  for (const Backend& backend : test::devices()) {
    constexpr std::uint64_t margin = 64 << 20;  // what sorting wants besides the bytes for each symbol
    for (const std::uint64_t bytes_each : {8, 12, 18}) {
      SortOptions options;
      options.device_bytes = margin + bytes_each * genome.text_size();
      CAPTURE(to_string(backend), length, bytes_each);
      const bool same = suffix_array<std::uint32_t>(genome.view(), backend, options) == expected;
      REQUIRE(same);
      options.max_narrow_symbols = 0;  // treats the text as if positions needed 64 bits
      options.device_bytes += 8 * genome.text_size();
      const bool wide_same = suffix_array<std::uint64_t>(genome.view(), backend, options) == widened(expected);
      REQUIRE(wide_same);
      options.device_bytes = margin;
      REQUIRE_THROWS_AS(suffix_array<std::uint32_t>(genome.view(), backend, options), BackendError);
    }
  }
}

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::uint64_t> sorted_byte_suffixes(const Bytes& bytes) {
  return test::sorted_suffixes({bytes.begin(), bytes.end()});
}

/// Difficult byte texts, and alphabets of every width.
std::vector<Bytes> difficult_bytes(unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<Bytes> texts = {{}, {0}, {255}, {0, 0}, {255, 0}, Bytes(1000, 0), Bytes(1000, 255)};
  for (const unsigned alphabet : {1U, 2U, 3U, 4U, 8U, 15U, 16U, 63U, 64U, 128U, 255U, 256U}) {
    for (const std::size_t length : {7U, 8U, 9U, 63U, 64U, 65U, 3000U}) {
      Bytes text(length);
      for (auto& byte : text) byte = static_cast<std::uint8_t>(255 - rng() % alphabet);
      texts.push_back(text);
    }
  }
  Bytes all(256);
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  for (int i = 0; i < 4; ++i) all.insert(all.end(), all.begin(), all.begin() + 256);
  texts.push_back(all);
  Bytes before = {'a'}, fibonacci = {'a', 'b'};
  while (fibonacci.size() < 3000)
    std::swap(before, fibonacci), fibonacci.insert(fibonacci.begin(), before.begin(), before.end());
  texts.push_back(fibonacci);
  return texts;
}

}  // namespace

TEST_CASE("the suffix array of bytes agrees with a naive sort", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  constexpr unsigned seed = 20250612;
  for (const Bytes& bytes : difficult_bytes(seed)) {
    CAPTURE(to_string(backend), bytes.size(), seed);
    const auto expected = sorted_byte_suffixes(bytes);
    REQUIRE(widened(suffix_array<std::uint32_t>(bytes, backend)) == expected);
    REQUIRE(suffix_array<std::uint64_t>(bytes, backend) == expected);
    if (backend.kind == BackendKind::cpu) continue;
    for (const SuffixSorter sorter : {SuffixSorter::skew, SuffixSorter::skew_prefix_doubling}) {
      CAPTURE(to_string(sorter));
      REQUIRE(widened(suffix_array<std::uint32_t>(bytes, backend, {sorter})) == expected);
    }
    SortOptions options;
    options.max_narrow_symbols = 0;
    REQUIRE(suffix_array<std::uint64_t>(bytes, backend, options) == expected);
  }
}

TEST_CASE("the inverse gives the row of each suffix", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t length = GENERATE(1, 2, 4095, 4097, 65'535, 65'537, 200'000);  // around the device's buckets
  CAPTURE(to_string(backend), length);
  std::mt19937 rng(4);
  std::vector<std::uint32_t> suffixes(length);
  std::iota(suffixes.begin(), suffixes.end(), 0U);
  std::shuffle(suffixes.begin(), suffixes.end(), rng);
  const auto ranks = inverse_suffix_array(suffixes, backend);
  bool right = ranks.size() == suffixes.size();
  for (std::uint32_t row = 0; right && row < suffixes.size(); ++row) right = ranks[suffixes[row]] == row;
  CHECK(right);
  const std::vector<std::uint64_t> wide(suffixes.begin(), suffixes.end());
  CHECK(inverse_suffix_array(wide, backend) == widened(ranks));
  CHECK(inverse_suffix_array(std::vector<std::uint64_t>{}, backend).empty());
  CHECK_THROWS_AS(inverse_suffix_array(std::vector<std::uint32_t>{0, 0}, backend), std::invalid_argument);
  CHECK_THROWS_AS(inverse_suffix_array(std::vector<std::uint32_t>{0, 2}, backend), std::invalid_argument);
}

TEST_CASE("the linear check finds errors", "[suffix]") {
  std::mt19937 rng(8);
  for (const test::NamedText& text : test::difficult_texts(8)) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const auto suffixes = suffix_array<std::uint32_t>(genome.view(), cpu);
    CHECK(first_wrong_row(genome.view(), suffixes, 2) == suffixes.size());
    if (suffixes.size() < 3) continue;
    for (int i = 0; i < 20; ++i) {
      auto wrong = suffixes;
      const std::size_t a = rng() % wrong.size(), b = rng() % wrong.size();
      if (a == b) continue;
      if (i % 2 == 0) {
        std::swap(wrong[a], wrong[b]);
      } else {
        wrong[a] = i % 4 == 1 ? wrong[b] : static_cast<std::uint32_t>(wrong.size());
      }
      REQUIRE(first_wrong_row(genome.view(), wrong, 2) < wrong.size());
    }
    auto shorter = suffixes;
    shorter.pop_back();
    CHECK(first_wrong_row(genome.view(), shorter, 1) == 0);
  }
  for (const Bytes& bytes : difficult_bytes(9)) {
    auto suffixes = suffix_array<std::uint64_t>(bytes, cpu);
    CHECK(first_wrong_row(bytes, suffixes, 1) == suffixes.size());
    if (suffixes.size() < 2) continue;
    std::swap(suffixes.front(), suffixes.back());
    CHECK(first_wrong_row(bytes, suffixes, 1) < suffixes.size());
  }
}

TEST_CASE("one step takes any two positions into a difference cover", "[suffix]") {
  for (const unsigned longest : {3U, 6U, 7U, 12U, 13U, 20U, 21U, 30U, 31U, 64U}) {
    const DifferenceCover cover = difference_cover(longest);
    CAPTURE(longest);
    REQUIRE(cover.period <= longest);
    std::uint64_t slots = 0;
    for (std::uint64_t position = 0; position < 200; ++position) {
      REQUIRE(cover.slots(position) == slots);
      if (cover.has(position)) {
        REQUIRE(cover.slot(position) == slots);
        REQUIRE(cover.position(slots) == position);
        ++slots;
      }
      for (std::uint64_t other = 0; other < 70; ++other) {
        const unsigned step = cover.step(position, other);
        REQUIRE(step < cover.period);
        REQUIRE(cover.has(position + step));
        REQUIRE(cover.has(other + step));
      }
    }
  }
}

TEST_CASE("the merge path splits a stable merge", "[suffix]") {
  std::mt19937 rng(12);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> first(rng() % 40), second(rng() % 40);
    for (auto* list : {&first, &second}) {
      for (auto& key : *list) key = rng() % 12;
      std::sort(list->begin(), list->end());
    }
    std::uint64_t i = 0, j = 0;
    for (std::uint64_t merged = 0; merged <= first.size() + second.size(); ++merged) {
      CAPTURE(round, merged);
      REQUIRE(merge_path(
                  merged, first.size(), second.size(), [&](std::uint64_t at) { return first[at]; },
                  [&](std::uint64_t at) { return second[at]; }) == i);
      if (j == second.size() || (i < first.size() && first[i] <= second[j]))
        ++i;
      else
        ++j;
    }
  }
}

TEST_CASE("sorters are chosen by name, and a backend rejects one that it lacks", "[suffix]") {
  CHECK(choose_sorter("automatic", cpu) == SuffixSorter::difference_cover);
  CHECK(choose_sorter("difference-cover", cpu) == SuffixSorter::difference_cover);
  CHECK(choose_sorter("divsufsort", cpu) == SuffixSorter::divsufsort);
  CHECK(choose_sorter("automatic", {BackendKind::cuda, 0, 1}) == SuffixSorter::automatic);
  CHECK_THROWS_AS(choose_sorter("prefix-doubling", cpu), BackendError);
  CHECK_THROWS_AS(choose_sorter("divsufsort", Backend{BackendKind::cuda, 0, 1}), BackendError);
  CHECK_THROWS_AS(choose_sorter("difference-cover", Backend{BackendKind::cuda, 0, 1}), BackendError);
  CHECK_THROWS_AS(choose_sorter("quicksort", cpu), InputError);
  const Genome genome = test::genome_of({"ACGT"});
  CHECK_THROWS_AS(suffix_array<std::uint32_t>(genome.view(), cpu, {SuffixSorter::prefix_doubling}), BackendError);
}

}  // namespace warpseed
