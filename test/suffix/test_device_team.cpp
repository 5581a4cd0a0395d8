// Devices that sort together give the array of one.
#include <algorithm>
#include <random>

#include "catch.hpp"
#include "devices.hpp"
#include "long_texts.hpp"
#include "oracle.hpp"
#include "suffix/suffix_array.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace suffix;

namespace {

const Backend cpu = {};

/// Texts whose keys can be divided, and some where they cannot: one device then sorts alone.
std::vector<test::NamedText> team_texts() {
  std::mt19937 rng(41);
  std::vector<test::NamedText> texts = test::difficult_texts(17);
  for (const test::NamedText& text : test::long_texts()) texts.push_back(text);
  texts.push_back({"random", {test::random_bases(60'000, 4, rng)}});
  texts.push_back({"two bases", {std::string(90'000, 'A') + std::string(110'000, 'T')}});
  return texts;
}

}  // namespace

TEST_CASE("a team of devices sorts as the CPU does", "[suffix][gpu]") {
  const std::vector<test::NamedText> texts = team_texts();
  for (const Backend& team : test::device_teams()) {
    for (const test::NamedText& text : texts) {
      CAPTURE(to_string(team), text.name);
      const text::Genome genome = test::genome_of(text.contigs);
      const auto expected = suffix_array<std::uint32_t>(genome.view(), cpu);
      SortOptions options;
      options.verify = true;
      const bool same = suffix_array<std::uint32_t>(genome.view(), team, options) == expected;
      REQUIRE(same);
    }
  }
}

TEST_CASE("millions of ties are broken by the same order", "[suffix][gpu]") {
  std::mt19937 rng(45);
  const std::string unit = test::random_bases(1'250'000, 4, rng);
  const text::Genome genome = test::genome_of({unit + unit, unit + unit});
  const auto expected = suffix_array<std::uint32_t>(genome.view(), {BackendKind::cpu, 0, 2});
  std::vector<Backend> backends = test::devices();
  const std::vector<Backend> teams = test::device_teams();
  backends.insert(backends.end(), teams.begin(), teams.end());
  for (const Backend& backend : backends) {
    CAPTURE(to_string(backend));
    const bool same = suffix_array<std::uint32_t>(genome.view(), backend) == expected;
    REQUIRE(same);
  }
}

TEST_CASE("a team with little memory deals out parts", "[suffix][gpu]") {
  const text::Genome genome = test::genome_of(test::big_text(1'500'000, 11));
  const auto expected = suffix_array<std::uint32_t>(genome.view(), cpu);
  const std::vector<std::uint64_t> wide_expected(expected.begin(), expected.end());
  for (const Backend& team : test::device_teams()) {
    constexpr std::uint64_t margin = 64 << 20;  // what sorting wants besides the bytes for each symbol
    for (const std::uint64_t bytes_each : {6, 12}) {
      SortOptions options;
      // Members that share a device share its memory.
      const std::uint64_t sharers =
          1 + static_cast<std::uint64_t>(std::count(team.more_devices.begin(), team.more_devices.end(), team.device));
      options.device_bytes = sharers * (margin + bytes_each * genome.text_size());
      CAPTURE(to_string(team), bytes_each);
      const bool same = suffix_array<std::uint32_t>(genome.view(), team, options) == expected;
      REQUIRE(same);
      options.max_narrow_symbols = 0;  // treats the text as if positions needed 64 bits
      options.device_bytes += sharers * 8 * genome.text_size();
      const bool wide_same = suffix_array<std::uint64_t>(genome.view(), team, options) == wide_expected;
      REQUIRE(wide_same);
      options.device_bytes = margin / 2;
      REQUIRE_THROWS_AS(suffix_array<std::uint32_t>(genome.view(), team, options), BackendError);
    }
  }
}

TEST_CASE("a team of devices sorts bytes as the CPU does", "[suffix][gpu]") {
  std::mt19937 rng(43);
  for (const unsigned alphabet : {2U, 5U, 200U, 256U}) {
    std::vector<std::uint8_t> bytes(100'000);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng() % alphabet);
    std::copy_n(bytes.begin(), 30'000, bytes.begin() + 60'000);
    const auto expected = suffix_array<std::uint32_t>(bytes, cpu);
    for (const Backend& team : test::device_teams()) {
      CAPTURE(to_string(team), alphabet);
      const bool same = suffix_array<std::uint32_t>(bytes, team) == expected;
      REQUIRE(same);
    }
  }
}

TEST_CASE("a sorter of one device works with a team", "[suffix][gpu]") {
  const text::Genome genome = test::genome_of(test::big_text(100'000, 9));
  const auto expected = suffix_array<std::uint32_t>(genome.view(), cpu);
  for (const Backend& team : test::device_teams()) {
    for (const SuffixSorter sorter :
         {SuffixSorter::prefix_doubling, SuffixSorter::skew, SuffixSorter::skew_prefix_doubling}) {
      CAPTURE(to_string(team), to_string(sorter));
      const bool same = suffix_array<std::uint32_t>(genome.view(), team, {sorter}) == expected;
      REQUIRE(same);
    }
  }
}

}  // namespace warpseed
