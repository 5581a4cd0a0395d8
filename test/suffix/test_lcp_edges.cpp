// LCP arrays, wide and compact, around every length at which the method or the storage changes.
#include "catch.hpp"
#include "oracle.hpp"
#include "suffix/compact_lcp.hpp"
#include "suffix/lcp.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

using Rows = std::vector<std::uint64_t>;
using Bytes = std::vector<std::uint8_t>;

/// Symbol by symbol, for each row; no two separators are the same symbol.
Rows compared_lcp(const Rows& symbols, const Rows& suffixes) {
  Rows lcp(suffixes.size());
  for (std::size_t row = 1; row < suffixes.size(); ++row) {
    const auto a = symbols.begin() + static_cast<std::ptrdiff_t>(suffixes[row - 1]);
    const auto b = symbols.begin() + static_cast<std::ptrdiff_t>(suffixes[row]);
    const auto shorter = std::min(symbols.end() - a, symbols.end() - b);
    lcp[row] = static_cast<std::uint64_t>(std::mismatch(a, a + shorter, b).first - a);
  }
  return lcp;
}

Rows widened(const std::vector<std::uint32_t>& values) {
  return {values.begin(), values.end()};
}

std::vector<std::uint32_t> narrowed(const Rows& values) {
  std::vector<std::uint32_t> narrow;
  for (const std::uint64_t value : values) narrow.push_back(static_cast<std::uint32_t>(value));
  return narrow;
}

template <class Pos>
Rows values_of(const CompactLcp<Pos>& compact) {
  Rows values;
  auto cursor = compact.from(0);
  for (std::uint64_t row = 0; row < compact.size(); ++row) {
    values.push_back(compact[row]);
    REQUIRE(cursor.next() == values.back());
    REQUIRE(compact.from(row).next() == values.back());
  }
  return values;
}

/// Suffixes from a naive sort, lengths by comparing: independent of the library.
void require_lcp(const test::Contigs& contigs, const Backend& backend) {
  const Genome genome = test::genome_of(contigs);
  const Rows symbols = test::symbols_of(contigs), suffixes = test::sorted_suffixes(symbols);
  const Rows expected = compared_lcp(symbols, suffixes);
  REQUIRE(widened(lcp_array(genome.view(), narrowed(suffixes), backend)) == expected);
  REQUIRE(lcp_array(genome.view(), suffixes, backend) == expected);
  REQUIRE(values_of(compact_lcp_array(genome.view(), narrowed(suffixes), backend)) == expected);
  REQUIRE(values_of(compact_lcp_array(genome.view(), suffixes, backend)) == expected);
}

void require_byte_lcp(const Bytes& bytes, const Backend& backend) {
  const Rows symbols(bytes.begin(), bytes.end()), suffixes = test::sorted_suffixes(symbols);
  const Rows expected = compared_lcp(symbols, suffixes);
  REQUIRE(widened(lcp_array(bytes, narrowed(suffixes), backend)) == expected);
  REQUIRE(lcp_array(bytes, suffixes, backend) == expected);
}

}  // namespace

TEST_CASE("common prefixes end at separators, wherever these are", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(111);
  for (const std::size_t shared : {0U,  1U,  2U,  28U,  29U,  30U,  31U,  32U,  33U,  61U,  62U,  63U,  64U,  65U,
                                   95U, 96U, 97U, 127U, 128U, 129U, 253U, 254U, 255U, 256U, 257U, 319U, 320U, 321U}) {
    const std::string same = test::random_bases(shared, 4, rng);
    CAPTURE(to_string(backend), shared);
    require_lcp({same + "N" + same + "A", "C" + same + "N", "NNG" + same, same + "T"}, backend);
    require_lcp({same, same, same}, backend);
    require_lcp({same + "A" + same + "C" + same}, backend);  // ended by bases alone
  }
}

TEST_CASE("long common prefixes follow from the position before, or are compared", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(112);
  const std::string same = test::random_bases(300, 4, rng), head = test::random_bases(100, 4, rng);
  CAPTURE(to_string(backend));
  require_lcp({"A" + same, "C" + same, same, "G" + same}, backend);  // different bases before, or none
  require_lcp({"A" + same, "A" + same + "T", head + same, head + same + "G"}, backend);
  require_lcp({same.substr(0, 64), same.substr(1, 64), same.substr(2, 64), same.substr(1, 63)}, backend);
}

TEST_CASE("common prefixes of one letter, periods and Fibonacci words are exact", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  for (const std::size_t length : {1U, 31U, 32U, 33U, 63U, 64U, 65U, 255U, 256U, 257U, 600U}) {
    CAPTURE(to_string(backend), length);
    std::string period;
    for (std::size_t i = 0; i < length; ++i) period += "ACA"[i % 3];
    require_lcp({std::string(length, 'A')}, backend);
    require_lcp({std::string(length, 'T'), std::string(length, 'T')}, backend);
    require_lcp({period, period}, backend);
    require_lcp({test::fibonacci_bases(length), "N", test::fibonacci_bases(length / 2)}, backend);
  }
}

TEST_CASE("common prefixes of bytes are exact around words and heads", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(113);
  for (const std::size_t shared : {0U, 1U, 7U, 8U, 9U, 13U, 14U, 15U, 16U, 17U, 23U, 24U, 25U, 28U, 64U, 255U}) {
    for (const unsigned alphabet : {1U, 2U, 256U}) {  // of a device's keys, 1, 2 and 9 bits per symbol
      CAPTURE(to_string(backend), shared, alphabet);
      Bytes same(shared);
      for (auto& byte : same) byte = static_cast<std::uint8_t>(255 - rng() % alphabet);
      Bytes bytes = same;
      for (const std::uint8_t between : Bytes{0, 255, 1, 0}) {
        bytes.push_back(between);
        bytes.insert(bytes.end(), same.begin(), same.end());
      }
      require_byte_lcp(bytes, backend);
      bytes.push_back(0);
      require_byte_lcp(bytes, backend);
    }
  }
}

TEST_CASE("a compact LCP array finds long rows at both ends of its blocks", "[suffix]") {
  // Rows 0, 65535, 65536 and 131072 are long; one row more than two blocks.
  CompactLcpParts<std::uint32_t> parts;
  parts.bytes.assign(2 * parts.block + 1, 7);
  for (const std::uint64_t row : {std::uint64_t{0}, parts.block - 1, parts.block, 2 * parts.block}) {
    parts.bytes[row] = parts.in_table;
  }
  parts.bytes[1] = 254;
  parts.begins = {0, 2, 3, 4};
  parts.long_rows = {0, 0xFFFF, 0, 0};
  parts.lengths = {255, 256, 0xFFFFFFFF, 1000};
  const CompactLcp<std::uint32_t> compact(parts);
  CHECK(compact.size() == 2 * parts.block + 1);
  CHECK(compact[0] == 255);
  CHECK(compact[1] == 254);
  CHECK(compact[2] == 7);
  CHECK(compact[parts.block - 1] == 256);
  CHECK(compact[parts.block] == 0xFFFFFFFF);
  CHECK(compact[2 * parts.block] == 1000);
  for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1}, parts.block - 1, parts.block, parts.block + 1}) {
    auto cursor = compact.from(from);
    std::uint64_t wrong = 0;
    for (std::uint64_t row = from; row < compact.size(); ++row) wrong += cursor.next() != compact[row] ? 1U : 0U;
    CAPTURE(from);
    CHECK(wrong == 0);
  }
  CHECK(compact.bytes() == 2 * parts.block + 1 + 4 * 4 + 4 * (2 + 4));
  parts.begins.pop_back();
  CHECK_THROWS_AS(CompactLcp<std::uint32_t>(parts), std::invalid_argument);
  parts.begins.push_back(5);
  CHECK_THROWS_AS(CompactLcp<std::uint32_t>(parts), std::invalid_argument);
}

TEST_CASE("compact LCP arrays are equal if all their values are", "[suffix]") {
  const CompactLcpParts<std::uint64_t> parts{{0, 255, 3}, {0, 1}, {1}, {255}};
  const CompactLcp<std::uint64_t> compact(parts);
  auto other = parts;
  other.lengths = {256};
  CHECK(compact == CompactLcp<std::uint64_t>(parts));
  CHECK_FALSE(compact == CompactLcp<std::uint64_t>(other));
  other = parts;
  other.bytes[2] = 4;
  CHECK_FALSE(compact == CompactLcp<std::uint64_t>(other));
}

TEST_CASE("an LCP array of a text that 32 bits cannot number, or of too few rows, is rejected", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Bytes bytes = {1, 2, 3};
  CHECK_THROWS_AS(lcp_array(bytes, std::vector<std::uint32_t>{0, 1}, backend), std::invalid_argument);
  CHECK_THROWS_AS(lcp_array(bytes, Rows{0, 1, 2, 3}, backend), std::invalid_argument);
  CHECK(lcp_array(Bytes{}, std::vector<std::uint32_t>{}, backend).empty());
  CHECK(lcp_array(bytes, Rows{0, 1, 2}, backend) == Rows{0, 0, 0});
}

}  // namespace warpseed
