#include "text/mask.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"

namespace warpseed {

using namespace text;

namespace {

using Masks = std::vector<std::vector<Interval>>;

Genome build(const std::vector<std::string>& contigs) {
  GenomeBuilder builder;
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    builder.begin_contig(fmt::format("c{}", i));
    builder.add(contigs[i]);
  }
  return builder.finish();
}

/// The genome of the same letters, masked one by one.
Genome naive(std::vector<std::string> contigs, const Masks& masks) {
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    for (const Interval& mask : masks[i]) {
      for (std::uint64_t at = mask.begin; at < mask.end; ++at) contigs[i][at] = 'N';
    }
  }
  return build(contigs);
}

void check(const std::vector<std::string>& contigs, const Masks& masks) {
  const Genome found = masked(build(contigs).view(), masks), expected = naive(contigs, masks);
  CHECK(found.contig_begins == expected.contig_begins);
  CHECK(found.segments == expected.segments);
  CHECK(found.words == expected.words);
}

std::string random_bases(std::size_t size, unsigned unknown_percent, std::mt19937& rng) {
  std::string bases;
  while (bases.size() < size) {
    if (rng() % 100 < unknown_percent) {
      bases += std::string(1 + rng() % 40, 'N');
    } else {
      for (std::size_t i = 1 + rng() % 80; i > 0; --i) bases += "ACGT"[rng() % 4];
    }
  }
  bases.resize(size);
  return bases;
}

/// Disjoint intervals in order; some are empty, some touch.
std::vector<Interval> random_masks(std::uint64_t size, unsigned longest, std::mt19937& rng) {
  std::vector<Interval> masks;
  for (std::uint64_t at = rng() % longest; at <= size;) {
    const std::uint64_t end = std::min<std::uint64_t>(size, at + rng() % longest);
    masks.push_back({at, end});
    at = end + (rng() % 4 ? 1 + rng() % longest : 0);
    if (end == size) break;
  }
  return masks;
}

}  // namespace

TEST_CASE("a masked genome equals the one built from masked letters", "[text][mask]") {
  const std::size_t size = GENERATE(as<std::size_t>{}, 1, 31, 32, 33, 63, 64, 65, 129, 3000);
  const unsigned unknown_percent = GENERATE(0U, 20U, 100U);
  const unsigned longest = GENERATE(1U, 2U, 40U, 700U);
  const unsigned seed = static_cast<unsigned>(size) * 1000 + unknown_percent + longest;
  CAPTURE(size, unknown_percent, longest, seed);
  std::mt19937 rng(seed);
  std::vector<std::string> contigs;
  Masks masks;
  for (std::size_t i = 1 + rng() % 5; i > 0; --i) {
    contigs.push_back(random_bases(1 + rng() % size, unknown_percent, rng));
    masks.push_back(rng() % 4 ? random_masks(contigs.back().size(), longest, rng) : std::vector<Interval>());
  }
  check(contigs, masks);
}

TEST_CASE("nothing masked, everything masked, ends masked", "[text][mask]") {
  std::mt19937 rng(7);
  const std::vector<std::string> contigs = {random_bases(100, 0, rng), "A", random_bases(64, 0, rng)};
  check(contigs, {{}, {}, {}});
  check(contigs, {{{0, 100}}, {{0, 1}}, {{0, 64}}});
  check(contigs, {{{0, 1}, {99, 100}}, {}, {{0, 32}}});
  check(contigs, {{{50, 50}}, {{1, 1}}, {{31, 33}}});
  check({"NNACGTNN", "ACGNNNNACG"}, {{{1, 3}, {5, 8}}, {{2, 8}}});
  CHECK(masked(Genome{}.view(), {}).text_size() == 0);
  CHECK(masked(Genome{}.view(), {}).words.size() == 2);
}

TEST_CASE("invalid masks are rejected", "[text][mask]") {
  const Genome genome = build({"ACGTACGT"});
  CHECK_THROWS_AS(masked(genome.view(), Masks{}), std::invalid_argument);
  CHECK_THROWS_AS(masked(genome.view(), Masks{{{0, 9}}}), std::invalid_argument);
  CHECK_THROWS_AS(masked(genome.view(), Masks{{{3, 2}}}), std::invalid_argument);
  CHECK_THROWS_AS(masked(genome.view(), Masks{{{0, 4}, {3, 5}}}), std::invalid_argument);
}

}  // namespace warpseed
