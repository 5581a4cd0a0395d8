#include "suffix/common_extension.hpp"

#include "catch.hpp"
#include "oracle.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

using Pairs = std::vector<PositionPair<std::uint32_t>>;

constexpr std::uint64_t bases = 1'000'000'000;  // symbols below are separators

/// Symbol by symbol.
std::uint32_t compared(const std::vector<std::uint64_t>& symbols, const PositionPair<std::uint32_t>& pair) {
  std::uint32_t same = 0;
  for (std::size_t a = pair.first, b = pair.second; a < symbols.size() && b < symbols.size(); ++a, ++b, ++same) {
    if (symbols[a] < bases || symbols[a] != symbols[b]) break;
  }
  return same;
}

/// Random pairs, and pairs that likely share long extensions: a multiple of `step` apart.
Pairs pairs_in(std::size_t size, std::size_t count, std::size_t step, std::mt19937& rng) {
  Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(rng() % size), any = static_cast<std::uint32_t>(rng() % size);
    const auto apart = static_cast<std::uint32_t>((first + step * (rng() % 4)) % size);
    pairs.push_back({first, i % 2 == 0 ? any : apart});
  }
  return pairs;
}

void require_lengths(const test::Contigs& contigs, const Pairs& pairs, const Backend& backend) {
  const Genome genome = test::genome_of(contigs);
  const auto symbols = test::symbols_of(contigs);
  std::vector<std::uint32_t> expected, lengths(pairs.size());
  for (const auto& pair : pairs) expected.push_back(compared(symbols, pair));
  make_common_extension<std::uint32_t>(genome.view(), backend)->lengths(pairs, lengths);
  REQUIRE(lengths == expected);
  std::vector<PositionPair<std::uint64_t>> wide;
  for (const auto& pair : pairs) wide.push_back({pair.first, pair.second});
  std::vector<std::uint64_t> wide_lengths(pairs.size());
  make_common_extension<std::uint64_t>(genome.view(), backend)->lengths(wide, wide_lengths);
  REQUIRE(std::equal(expected.begin(), expected.end(), wide_lengths.begin(), wide_lengths.end()));
}

}  // namespace

TEST_CASE("common extensions agree with comparing symbol by symbol", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20250702;
  std::mt19937 rng(seed);
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    const std::size_t size = test::symbols_of(text.contigs).size();
    CAPTURE(to_string(backend), text.name, seed);
    Pairs pairs;
    if (size > 0) pairs = pairs_in(size, 600, size > 800 ? 201 : 3, rng);
    require_lengths(text.contigs, pairs, backend);
  }
}

TEST_CASE("every pair of a text with separators has its common extension", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  std::mt19937 rng(3);
  const std::string unit = test::random_bases(66, 4, rng);
  const test::Contigs contigs = {unit + "N" + unit, unit + "A", unit.substr(1)};
  const auto size = static_cast<std::uint32_t>(test::symbols_of(contigs).size());
  Pairs pairs;
  for (std::uint32_t a = 0; a < size; ++a) {
    for (std::uint32_t b = 0; b < size; ++b) pairs.push_back({a, b});
  }
  CAPTURE(to_string(backend));
  require_lengths(contigs, pairs, backend);
}

TEST_CASE("batches with more pairs than are in flight at once", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(6);
  const test::Contigs contigs = test::big_text(200'000, 7);
  const std::size_t size = test::symbols_of(contigs).size();
  CAPTURE(to_string(backend));
  require_lengths(contigs, pairs_in(size, 900'001, 1, rng), backend);
}

TEST_CASE("a pair past the end of the text is rejected, and the next batch is answered", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Genome genome = test::genome_of({"ACGTACGA"});
  const auto extension = make_common_extension<std::uint32_t>(genome.view(), backend);
  std::vector<std::uint32_t> lengths(1);
  CHECK_THROWS_AS(extension->lengths(Pairs{{0, 9}}, lengths), std::invalid_argument);
  CHECK_THROWS_AS(extension->lengths(Pairs{{0, 1}, {0, 1}}, lengths), std::invalid_argument);
  extension->lengths(Pairs{{0, 4}}, lengths);
  CHECK(lengths[0] == 3);
  extension->lengths(Pairs{}, std::span<std::uint32_t>());
}

}  // namespace warpseed
