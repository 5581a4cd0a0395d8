#include "suffix/lcp.hpp"

#include "catch.hpp"
#include "oracle.hpp"
#include "suffix/suffix_array.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

const Backend cpu = {};

template <class Pos>
std::vector<std::uint64_t> widened(const std::vector<Pos>& values) {
  return {values.begin(), values.end()};
}

constexpr std::uint64_t bases = 1'000'000'000;  // symbols below are separators

/// Symbol by symbol, for each row.
std::vector<std::uint64_t> compared_lcp(const std::vector<std::uint64_t>& symbols,
                                        const std::vector<std::uint64_t>& suffixes) {
  std::vector<std::uint64_t> lcp(suffixes.size());
  for (std::size_t row = 1; row < suffixes.size(); ++row) {
    std::uint64_t a = suffixes[row - 1], b = suffixes[row];
    for (; a < symbols.size() && b < symbols.size() && symbols[a] >= bases && symbols[a] == symbols[b]; ++a, ++b) {
      ++lcp[row];
    }
  }
  return lcp;
}

/// Kasai, Lee, Arimura, Arikawa and Park, "Linear-time longest-common-prefix computation in suffix arrays", CPM 2001.
template <class Pos>
std::vector<std::uint64_t> kasai_lcp(const std::vector<std::uint64_t>& symbols, const std::vector<Pos>& suffixes) {
  std::vector<std::uint64_t> ranks(suffixes.size()), lcp(suffixes.size());
  for (std::size_t row = 0; row < suffixes.size(); ++row) ranks[suffixes[row]] = row;
  std::uint64_t known = 0;
  for (std::uint64_t i = 0; i < symbols.size(); ++i) {
    if (ranks[i] == 0) {
      known = 0;
      continue;
    }
    const std::uint64_t j = suffixes[ranks[i] - 1];
    while (i + known < symbols.size() && j + known < symbols.size() && symbols[i + known] >= bases &&
           symbols[i + known] == symbols[j + known]) {
      ++known;
    }
    lcp[ranks[i]] = known;
    known -= known > 0 ? 1 : 0;
  }
  return lcp;
}

std::vector<std::uint64_t> symbols_of_bytes(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint64_t> symbols(bytes.begin(), bytes.end());
  for (auto& symbol : symbols) symbol += bases;
  return symbols;
}

/// Long repeats of every kind: of whole words and blocks, and longer than one round of a block.
std::vector<test::NamedText> repetitive_texts() {
  std::mt19937 rng(31);
  const std::string unit = test::random_bases(171, 4, rng), long_unit = test::random_bases(90'000, 4, rng);
  std::string periodic, copies;
  while (periodic.size() < 400'000) periodic += unit;
  for (int i = 0; i < 5; ++i) {
    copies += long_unit;
    if (i == 2) copies[200'000] = copies[200'000] == 'A' ? 'C' : 'A';
  }
  return {
      {"one letter", {std::string(400'000, 'A')}},
      {"one letter in contigs", {std::string(70'000, 'C'), std::string(70'063, 'C'), std::string(69'999, 'C'), "CC"}},
      {"Fibonacci", {test::fibonacci_bases(400'000)}},
      {"period 171", {periodic}},
      {"copies of a long unit", {copies}},
      {"copies with N", {long_unit, "N" + long_unit, long_unit.substr(0, 50'000) + "NN" + long_unit.substr(50'000)}},
      {"repeats and borders", test::big_text(300'000, 12)},
  };
}

}  // namespace

TEST_CASE("the LCP array agrees with comparing symbol by symbol", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20250701;
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    CAPTURE(to_string(backend), text.name, seed);
    const Genome genome = test::genome_of(text.contigs);
    const auto symbols = test::symbols_of(text.contigs);
    const auto suffixes = suffix_array<std::uint32_t>(genome.view(), cpu);
    const auto expected = compared_lcp(symbols, widened(suffixes));
    REQUIRE(kasai_lcp(symbols, suffixes) == expected);
    REQUIRE(widened(lcp_array(genome.view(), suffixes, backend)) == expected);
    REQUIRE(lcp_array(genome.view(), widened(suffixes), backend) == expected);
  }
}

TEST_CASE("the LCP array of repetitive texts agrees with Kasai's", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  for (const test::NamedText& text : repetitive_texts()) {
    CAPTURE(to_string(backend), text.name);
    const Genome genome = test::genome_of(text.contigs);
    const auto suffixes = suffix_array<std::uint32_t>(genome.view(), cpu);
    const bool same =
        widened(lcp_array(genome.view(), suffixes, backend)) == kasai_lcp(test::symbols_of(text.contigs), suffixes);
    REQUIRE(same);
  }
}

TEST_CASE("common prefixes around a word's, a head's and a block's length are exact", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  std::mt19937 rng(4);
  for (const std::size_t shared : {31U, 32U, 33U, 62U, 63U, 64U, 65U, 127U, 128U, 2110U, 2111U, 2112U, 65'598U, 65'599U,
                                   65'600U, 196'670U, 196'671U, 196'672U}) {
    CAPTURE(to_string(backend), shared);
    const std::string unit = test::random_bases(shared, 4, rng);
    for (const auto& [first, second] : {std::pair("A", "C"), std::pair("", "G"), std::pair("", "")}) {
      const test::Contigs contigs = {"AC" + unit + first, "GT" + unit + second, unit};
      const Genome genome = test::genome_of(contigs);
      const auto suffixes = suffix_array<std::uint32_t>(genome.view(), cpu);
      const bool same =
          widened(lcp_array(genome.view(), suffixes, backend)) == kasai_lcp(test::symbols_of(contigs), suffixes);
      REQUIRE(same);
    }
  }
}

TEST_CASE("the LCP array of bytes agrees with Kasai's", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(9);
  std::vector<std::vector<std::uint8_t>> texts = {
      {}, {0}, {255}, {0, 0}, {255, 255, 255}, std::vector<std::uint8_t>(70'000, 0)};
  for (const unsigned alphabet : {1U, 2U, 3U, 4U, 15U, 16U, 127U, 128U, 255U, 256U}) {
    for (const std::size_t length : {7U, 8U, 9U, 15U, 16U, 17U, 65U, 3000U}) {
      std::vector<std::uint8_t> text(length);
      for (auto& byte : text) byte = static_cast<std::uint8_t>(255 - rng() % alphabet);
      texts.push_back(text);
      for (int i = 0; i < 3; ++i) text.insert(text.end(), texts.back().begin(), texts.back().end());
      texts.push_back(text);
    }
  }
  for (const auto& bytes : texts) {
    CAPTURE(to_string(backend), bytes.size());
    const auto suffixes = suffix_array<std::uint32_t>(bytes, cpu);
    const auto expected = kasai_lcp(symbols_of_bytes(bytes), suffixes);
    const bool same = widened(lcp_array(bytes, suffixes, backend)) == expected;
    REQUIRE(same);
    const bool wide_same = lcp_array(bytes, widened(suffixes), backend) == expected;
    REQUIRE(wide_same);
  }
}

TEST_CASE("an LCP array requires one suffix per symbol", "[suffix]") {
  const Genome genome = test::genome_of({"ACGT"});
  CHECK_THROWS_AS(lcp_array(genome.view(), std::vector<std::uint32_t>{0, 1}, cpu), std::invalid_argument);
  CHECK(lcp_array(test::genome_of({}).view(), std::vector<std::uint64_t>{}, cpu).empty());
}

}  // namespace warpseed
