// Common extensions that end at separators, at the text's end and around what is compared directly; and the bitmaps of
// separators, position by position.
#include "catch.hpp"
#include "oracle.hpp"
#include "suffix/common_extension.hpp"
#include "suffix/separator_map.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

using Pair = PositionPair<std::uint32_t>;
using Symbols = std::vector<std::uint64_t>;

constexpr std::uint64_t first_base = 1'000'000'000;  // symbols below are separators

bool is_separator(std::uint64_t symbol) {
  return symbol < first_base;
}

/// lengths[a][b], from the end of the text to its begin: one more than at the next positions.
std::vector<std::vector<std::uint32_t>> all_lengths(const Symbols& symbols) {
  const std::size_t size = symbols.size();
  std::vector<std::vector<std::uint32_t>> lengths(size + 1, std::vector<std::uint32_t>(size + 1, 0));
  for (std::size_t a = size; a-- > 0;) {
    for (std::size_t b = size; b-- > 0;) {
      if (!is_separator(symbols[a]) && symbols[a] == symbols[b]) lengths[a][b] = lengths[a + 1][b + 1] + 1;
    }
  }
  return lengths;
}

template <class Pos>
void require_lengths(const Genome& genome, const std::vector<Pair>& pairs, const std::vector<std::uint32_t>& expected,
                     const Backend& backend) {
  std::vector<PositionPair<Pos>> asked;
  for (const Pair& pair : pairs) asked.push_back({pair.first, pair.second});
  std::vector<Pos> lengths(pairs.size(), 77);
  make_common_extension<Pos>(genome.view(), backend)->lengths(asked, lengths);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (lengths[i] == expected[i]) continue;
    CAPTURE(pairs[i].first, pairs[i].second, sizeof(Pos));
    REQUIRE(lengths[i] == expected[i]);
  }
}

/// Every pair of the text's positions.
void require_all_pairs(const test::Contigs& contigs, const Backend& backend) {
  const Symbols symbols = test::symbols_of(contigs);
  const auto all = all_lengths(symbols);
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t a = 0; a < symbols.size(); ++a) {
    for (std::uint32_t b = 0; b < symbols.size(); ++b) {
      pairs.push_back({a, b});
      expected.push_back(all[a][b]);
    }
  }
  const Genome genome = test::genome_of(contigs);
  require_lengths<std::uint32_t>(genome, pairs, expected, backend);
  require_lengths<std::uint64_t>(genome, pairs, expected, backend);
}

std::string repeated(std::size_t times, const std::string& unit) {
  std::string bases;
  for (std::size_t i = 0; i < times; ++i) bases += unit;
  return bases;
}

/// Separators near the borders of words and of the bitmap's blocks of 256, and next to each other.
std::vector<test::NamedText> texts_with_separators() {
  std::mt19937 rng(121);
  std::vector<test::NamedText> texts = {
      {"one base", {"A"}},
      {"bases alone", {"A", "A", "C"}},
      {"separators side by side", {repeated(60, "AN"), "A", repeated(20, "CN")}},
      {"one letter", {std::string(130, 'T'), std::string(129, 'T')}},
      {"period 3", {repeated(45, "ACA"), repeated(30, "ACA") + "N" + repeated(10, "ACA")}},
  };
  for (const std::size_t length : {30U, 31U, 32U, 63U, 64U, 65U, 95U, 96U}) {
    const std::string same = test::random_bases(length, 4, rng);
    texts.push_back({"copies of " + std::to_string(length), {same, same + "A", same + "N" + same}});
  }
  for (const std::size_t length :
       {190U, 191U, 192U, 254U, 255U, 256U}) {  // the separator 64 and 0 before a block's end
    const std::string same = test::random_bases(length, 4, rng);
    texts.push_back({"block of " + std::to_string(length), {same, same.substr(length - 70) + "G"}});
  }
  return texts;
}

/// The expected head: up to 63 bases before a separator, packed from the highest bits, whatever comes after.
void check_head(const SuffixHead& head, const Symbols& symbols, std::size_t at) {
  std::uint32_t limit = 0;
  while (limit < GenomeText::depth && at + limit < symbols.size() && !is_separator(symbols[at + limit])) ++limit;
  REQUIRE(head.limit == limit);
  for (std::uint32_t i = 0; i < limit; ++i) {
    const std::uint64_t word = i < 32 ? head.first : head.second;
    REQUIRE((word >> (62 - 2 * (i % 32)) & 3) == symbols[at + i] - first_base);
  }
  const bool begins = at == 0 || is_separator(symbols[at - 1]);
  REQUIRE(head.before == (begins ? SuffixHead::nothing : static_cast<std::uint32_t>(symbols[at - 1] - first_base)));
}

}  // namespace

TEST_CASE("common extensions of all pairs end at separators and at the text's end", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  for (const test::NamedText& text : texts_with_separators()) {
    CAPTURE(to_string(backend), text.name);
    require_all_pairs(text.contigs, backend);
  }
}

TEST_CASE("long common extensions end where one contig does", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  std::mt19937 rng(122);
  const std::string same = test::random_bases(3000, 4, rng);
  const std::size_t shorter = GENERATE(0, 1, 64, 2900);  // bases that the second copy lacks at its end
  const test::Contigs contigs = {same, same.substr(0, 3000 - shorter), same + "A"};
  CAPTURE(to_string(backend), shorter);
  const auto second = static_cast<std::uint32_t>(3001), third = static_cast<std::uint32_t>(second + 3001 - shorter);
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t at = 0; at < 3000 - shorter; ++at) {
    const auto of_second = static_cast<std::uint32_t>(3000 - shorter - at);
    pairs.insert(pairs.end(),
                 {{at, second + at}, {third + at, second + at}, {at, third + at}, {third + at, third + at}});
    expected.insert(expected.end(), {of_second, of_second, 3000 - at, 3001 - at});
  }
  require_lengths<std::uint32_t>(test::genome_of(contigs), pairs, expected, backend);
}

TEST_CASE("any number of pairs is answered, and batches do not disturb each other", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const Genome genome = test::genome_of({std::string(500, 'A')});
  const auto extension = make_common_extension<std::uint32_t>(genome.view(), backend);
  for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 8191U, 8192U, 8193U, 1U}) {
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> lengths(count), expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      pairs.push_back({i * 7 % 501, i * 11 % 501});
      expected.push_back(500 - std::max(pairs.back().first, pairs.back().second));
    }
    CAPTURE(to_string(backend), count);
    extension->lengths(pairs, lengths);
    REQUIRE(lengths == expected);
  }
}

TEST_CASE("a text that 32 bits cannot number has no 32-bit extensions", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Genome genome = test::genome_of({"ACGT"});
  GenomeView view = genome.view();
  view.text.size = narrow_limit + 1;
  CHECK_THROWS_AS(make_common_extension<std::uint32_t>(view, backend), std::invalid_argument);
}

TEST_CASE("the bitmaps show every separator", "[suffix]") {
  for (const test::NamedText& text : texts_with_separators()) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const Symbols symbols = test::symbols_of(text.contigs);
    const SeparatorMap map(genome.view());
    const SeparatorView view = map.view();
    for (std::size_t at = 0; at < symbols.size(); ++at) {
      CAPTURE(at);
      std::uint32_t bits = 0;
      bool near = false;
      for (std::size_t d = 0; d <= SeparatorView::blocks_reach && at + d < symbols.size(); ++d) {
        near = near || is_separator(symbols[at + d]);
        if (d < 32 && is_separator(symbols[at + d])) bits |= 1U << d;
      }
      REQUIRE(view.at(at) == is_separator(symbols[at]));
      REQUIRE(view.from(at) == bits);
      if (near) REQUIRE(view.maybe_near(at));
    }
  }
}

TEST_CASE("far from separators the bitmaps show none", "[suffix]") {
  const Genome genome = test::genome_of({std::string(1000, 'A')});
  const SeparatorMap map(genome.view());
  constexpr std::uint64_t reach = 256 + 96;  // a whole block, and its reach in whole words
  for (std::uint64_t at = 0; at < 1000 - reach; ++at) {
    CAPTURE(at);
    CHECK_FALSE(map.view().maybe_near(at));
  }
}

TEST_CASE("a suffix's head holds its first bases and the one before", "[suffix]") {
  for (const test::NamedText& text : texts_with_separators()) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const Symbols symbols = test::symbols_of(text.contigs);
    const SeparatorMap map(genome.view());
    const GenomeText heads{genome.view().text, map.view()};
    const auto lengths = all_lengths(symbols);
    for (std::size_t a = 0; a < symbols.size(); ++a) {
      CAPTURE(a);
      check_head(heads.head(a), symbols, a);
      REQUIRE(base_before(heads, a) == (a == 0 || is_separator(symbols[a - 1]) ? 4 : symbols[a - 1] - first_base));
      for (std::size_t b = a + 1; b < symbols.size(); b += 1 + a % 3) {
        CAPTURE(b);
        const std::uint32_t length = lengths[a][b];
        if (heads.shared(heads.head(a), heads.head(b)) != std::min(length, GenomeText::depth)) FAIL("heads");
        if (heads.share_step(a, b) != std::min(length, GenomeText::step)) FAIL("a step");
        if (heads.share_far_step(a, b) != std::min(length, GenomeText::step)) FAIL("a far step");
        if (shared_symbols(heads, a, b) != length) FAIL("all symbols");
        if (shared_symbols(heads, a, b, std::min(length, 5U)) != length) FAIL("symbols beyond the known ones");
      }
    }
    CHECK(heads.share_step(symbols.size(), 0) == 0);
    CHECK(heads.share_step(0, symbols.size() + 100) == 0);
  }
}

}  // namespace warpseed
