#include "suffix/compact_lcp.hpp"

#include <algorithm>

#include "catch.hpp"
#include "oracle.hpp"
#include "suffix/lcp.hpp"
#include "suffix/suffix_array.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

const Backend cpu = {};

template <class Pos>
void require_same(const CompactLcp<Pos>& compact, const std::vector<Pos>& lcp) {
  REQUIRE(compact.size() == lcp.size());
  std::vector<Pos> one_by_one(lcp.size()), in_turn(lcp.size());
  auto cursor = compact.from(0);
  for (std::size_t row = 0; row < lcp.size(); ++row) one_by_one[row] = compact[row], in_turn[row] = cursor.next();
  const bool same_one_by_one = one_by_one == lcp, same_in_turn = in_turn == lcp;
  REQUIRE(same_one_by_one);
  REQUIRE(same_in_turn);
}

/// Cursors that begin at a row, at its block's borders and at every 997th row.
template <class Pos>
void require_same_from(const CompactLcp<Pos>& compact, const std::vector<Pos>& lcp) {
  for (std::uint64_t row = 0; row<lcp.size(); row += row % 65'536> 65'534 || row % 65'536 == 0 ? 1 : 997) {
    auto cursor = compact.from(row);
    const std::uint64_t end = std::min<std::uint64_t>(lcp.size(), row + 1000);
    bool same = true;
    for (std::uint64_t next = row; next < end; ++next) same = same && cursor.next() == lcp[next];
    REQUIRE(same);
  }
  compact.from(lcp.size());
}

void require_compact(const test::Contigs& contigs, const Backend& backend) {
  const Genome genome = test::genome_of(contigs);
  const auto suffixes = suffix_array<std::uint32_t>(genome.view(), cpu);
  const auto lcp = lcp_array(genome.view(), suffixes, cpu);
  const auto compact = compact_lcp_array(genome.view(), suffixes, backend);
  require_same(compact, lcp);
  require_same_from(compact, lcp);
  REQUIRE(compact == compact_lcp_array(genome.view(), suffixes, cpu));
  const std::vector<std::uint64_t> wide_suffixes(suffixes.begin(), suffixes.end());
  const std::vector<std::uint64_t> wide(lcp.begin(), lcp.end());
  require_same(compact_lcp_array(genome.view(), wide_suffixes, backend), wide);
}

}  // namespace

TEST_CASE("a compact LCP array has the values of lcp_array()", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 20251121;
  for (const test::NamedText& text : test::difficult_texts(seed)) {
    CAPTURE(to_string(backend), text.name, seed);
    require_compact(text.contigs, backend);
  }
}

TEST_CASE("a compact LCP array of many blocks has the values of lcp_array()", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(5);
  const std::string unit = test::random_bases(171, 4, rng), long_unit = test::random_bases(90'000, 4, rng);
  std::string periodic;
  while (periodic.size() < 200'000) periodic += unit;
  const std::vector<test::NamedText> texts = {
      {"random", {test::random_bases(200'000, 4, rng)}},
      {"period 171", {periodic}},
      {"Fibonacci", {test::fibonacci_bases(200'000)}},
      {"copies with N", {long_unit, "N" + long_unit, long_unit.substr(0, 50'000) + "NN" + long_unit.substr(50'000)}},
      {"a block without long rows before one with", {test::random_bases(70'000, 3, rng), std::string(70'000, 'T')}},
      {"repeats and borders", test::big_text(200'000, 12)},
  };
  for (const test::NamedText& text : texts) {
    CAPTURE(to_string(backend), text.name);
    require_compact(text.contigs, backend);
  }
}

TEST_CASE("a compact LCP array is exact around the limits of blocks and bytes", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  std::mt19937 rng(6);
  for (const std::size_t bases : {253U, 254U, 255U, 256U, 257U, 65'534U, 65'535U, 65'536U, 65'537U, 131'071U}) {
    CAPTURE(to_string(backend), bases);  // the separator adds a row
    require_compact({std::string(bases, 'A')}, backend);
    require_compact({test::random_bases(bases, 4, rng)}, backend);
  }
  for (const std::size_t shared : {253U, 254U, 255U, 256U, 257U}) {
    CAPTURE(to_string(backend), shared);
    const std::string word = test::random_bases(shared, 4, rng);
    require_compact({"AC" + word + "A", "GT" + word + "C", word}, backend);
  }
}

TEST_CASE("a compact LCP array takes little more than a byte per row", "[suffix]") {
  std::mt19937 rng(7);
  const Genome genome = test::genome_of({test::random_bases(100'000, 4, rng)});
  const auto suffixes = suffix_array<std::uint64_t>(genome.view(), cpu);
  const auto compact = compact_lcp_array(genome.view(), suffixes, cpu);
  CHECK(compact.bytes() >= suffixes.size());
  CHECK(compact.bytes() < suffixes.size() + 100);
}

TEST_CASE("a compact LCP array requires one suffix per symbol, and consistent parts", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Genome genome = test::genome_of({"ACGT"}), empty = test::genome_of({});
  CHECK_THROWS_AS(compact_lcp_array(genome.view(), std::vector<std::uint32_t>{0, 1}, backend), std::invalid_argument);
  CHECK_THROWS_AS(compact_lcp_array(genome.view(), std::vector<std::uint32_t>{}, backend), std::invalid_argument);
  CHECK(compact_lcp_array(empty.view(), std::vector<std::uint32_t>{}, backend).size() == 0);
  CHECK(CompactLcp<std::uint32_t>().size() == 0);
  CHECK_THROWS_AS(CompactLcp<std::uint32_t>({{1, 255}, {0, 1}, {1}, {}}), std::invalid_argument);
}

}  // namespace warpseed
