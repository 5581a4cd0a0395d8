// Anchors of long reads against a plain search of the genome, and their chains against all predecessors.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "align/base_world.hpp"
#include "align/long_reads/anchor_chainer.hpp"
#include "align/long_reads/anchor_finder.hpp"
#include "catch.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;

struct AnchorWorld {
  std::mt19937 rng{77};
  std::string one = test::random_bases(30000, rng), two = test::random_bases(20000, rng);
  std::unique_ptr<test::BaseWorld> world;

  AnchorWorld() {
    two.replace(5000, 800, one, 9000, 800);  // twice
    two.replace(12000, 40, 40, 'N');
    world =
        std::make_unique<test::BaseWorld>(std::vector<std::pair<std::string, std::string>>{{"one", one}, {"two", two}});
  }
};

std::string with_errors(std::string bases, unsigned one_in, std::mt19937& rng) {
  test::Codes codes;
  for (const char base : bases) codes.push_back(text::code_of_base(base));
  return test::letters_of(test::mutated(codes, one_in, rng));
}

/// Maximal exact matches of at least `least` bases of a read's strand with a contig: (read begin, contig begin,
/// length).
std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> matches_of(const std::string& read,
                                                                          const std::string& contig,
                                                                          std::size_t least) {
  std::map<std::string, std::vector<std::size_t>> words;
  for (std::size_t g = 0; g + least <= contig.size(); ++g) words[contig.substr(g, least)].push_back(g);
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> found;
  const auto same = [&](std::size_t q, std::size_t g) { return read[q] == contig[g] && read[q] != 'N'; };
  for (std::size_t q = 0; q + least <= read.size(); ++q) {
    const auto at = words.find(read.substr(q, least));
    if (at == words.end() || at->first.find('N') != std::string::npos) continue;
    for (const std::size_t g : at->second) {
      if (q > 0 && g > 0 && same(q - 1, g - 1)) continue;
      std::size_t length = least;
      while (q + length < read.size() && g + length < contig.size() && same(q + length, g + length)) ++length;
      found.emplace_back(q, g, length);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("anchors are exact matches, and no match that ends an error-free stretch is missed", "[align][long]") {
  AnchorWorld setting;
  const index::Index& index = *setting.world->index;
  const AlignOptions options;
  const AnchorRules rules = anchor_rules(index.fm(), options);
  const std::size_t surely_found = rules.min_length + rules.stride;
  AnchorFinder finder(index.fm(), index.genome(), options);
  std::vector<Anchor> anchors;
  for (int round = 0; round < 60; ++round) {
    const std::string& contig = round % 2 == 0 ? setting.one : setting.two;
    const std::size_t begin = setting.rng() % (contig.size() - 6000);
    std::string bases = with_errors(contig.substr(begin, 1000 + setting.rng() % 5000),
                                    12 + static_cast<unsigned>(setting.rng() % 60), setting.rng);
    if (round % 3 == 0) bases = test::reverse_complement(bases);
    if (round % 5 == 0) bases[bases.size() / 2] = 'N';
    CAPTURE(round, begin, bases.size());
    PackedRead read;
    read.assign(bases);
    finder.find(read, anchors);
    std::set<std::tuple<bool, std::uint32_t, std::int64_t>> diagonals;
    for (const Anchor& anchor : anchors) {
      const std::string strand = anchor.reverse ? test::reverse_complement(bases) : bases;
      const std::string& other = anchor.contig == 0 ? setting.one : setting.two;
      const std::uint64_t offset = anchor.genome_begin - index.genome().contig_begins[anchor.contig];
      REQUIRE(anchor.length >= rules.min_length);
      REQUIRE(strand.substr(anchor.query_begin, anchor.length) == other.substr(offset, anchor.length));
      for (std::uint32_t i = 0; i < anchor.length; ++i) {
        // No two anchors share a pair of bases.
        REQUIRE(diagonals.insert({anchor.reverse, anchor.query_begin + i, anchor.diagonal()}).second);
      }
    }
    // On the read's own diagonals every long enough match is covered but for bases that an earlier attempt took.
    const std::string strand = round % 3 == 0 ? test::reverse_complement(bases) : bases;
    std::size_t all = 0, covered = 0;
    for (const auto& [q, g, length] : matches_of(strand, contig, surely_found)) {
      const std::uint64_t at = index.genome().contig_begins[&contig == &setting.one ? 0 : 1] + g;
      const auto diagonal = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(q);
      for (std::size_t i = 0; i < length; ++i) {
        ++all;
        covered += diagonals.count({round % 3 == 0, static_cast<std::uint32_t>(q + i), diagonal});
      }
    }
    REQUIRE(covered * 100 >= all * 97);
  }
}

TEST_CASE("overlapping anchors are all occurrences of the longest matches that end every few bases", "[align][long]") {
  const unsigned seed = 43;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const std::string unit = test::random_bases(250, rng);
  std::string genome = test::random_bases(4000, rng);
  for (int i = 0; i < 160; ++i) {  // an array of diverged copies
    genome += test::changed(unit, {rng() % 250, rng() % 250, rng() % 250, rng() % 250});
  }
  genome += test::random_bases(4000, rng);
  const test::BaseWorld world(std::vector<std::pair<std::string, std::string>>{{"g", genome}});
  const AlignOptions options;
  const AnchorRules rules = anchor_rules(world.index->fm(), options);
  AnchorFinder finder(world.index->fm(), world.index->genome(), options);
  std::vector<Anchor> anchors;
  std::size_t matches = 0, frequent = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string bases = with_errors(genome.substr(3000 + rng() % 40000, 500), 10, rng).substr(0, 480);
    CAPTURE(round, bases);
    PackedRead read;
    read.assign(bases);
    anchors.clear();
    finder.add_overlapping(read, anchors);
    std::set<std::pair<std::size_t, std::int64_t>> covered;  // read position, diagonal
    for (const Anchor& anchor : anchors) {
      if (anchor.reverse) continue;
      REQUIRE(anchor.length >= rules.min_length);
      REQUIRE(bases.substr(anchor.query_begin, anchor.length) == genome.substr(anchor.genome_begin, anchor.length));
      for (std::uint32_t i = 0; i < anchor.length; ++i) covered.insert({anchor.query_begin + i, anchor.diagonal()});
    }
    for (std::size_t end = bases.size(); end >= rules.min_length;) {
      std::size_t begin = end;
      while (begin > 0 && genome.find(bases.substr(begin - 1, end - begin + 1)) != std::string::npos) --begin;
      const std::string match = bases.substr(begin, end - begin);
      std::vector<std::size_t> occurrences;
      for (std::size_t at = genome.find(match); at != std::string::npos; at = genome.find(match, at + 1)) {
        occurrences.push_back(at);
      }
      end -= std::min<std::size_t>(end, rules.stride);
      if (match.size() < rules.min_length) continue;
      ++matches;
      if (occurrences.size() > rules.max_rows) {
        ++frequent;
        continue;
      }
      for (const std::size_t at : occurrences) {
        const std::int64_t diagonal = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(begin);
        for (std::size_t i = 0; i < match.size(); ++i) REQUIRE(covered.count({begin + i, diagonal}) == 1);
      }
    }
  }
  CHECK(frequent > 50);
  CHECK(matches > frequent + 50);
}

TEST_CASE("anchors of no chain do not end the search for a predecessor", "[align][long]") {
  std::vector<Anchor> anchors = {{10000, 1000, 100}};
  // More than max_skipped, each before the next in the genome and after it in the read, far from the first one's diagonal.
  for (std::uint32_t i = 0; i < 40; ++i) anchors.push_back({10150 + 5 * i, 1900 - 3 * i, 15});
  anchors.push_back({12000, 3000, 50});  // on the first one's diagonal
  std::vector<AnchorChain> chains;
  AnchorChainer().chain(anchors, chains);
  REQUIRE(!chains.empty());
  CHECK(chains.front().count == 2);
  CHECK(chains.front().score == 150);
}

TEST_CASE("a chain scores as the best among all predecessors", "[align][long]") {
  std::mt19937 rng(5);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::vector<Anchor> anchors;
    for (std::size_t i = rng() % 22; i-- > 0;) {
      Anchor anchor;
      anchor.query_begin = static_cast<std::uint32_t>(rng() % 2000),
      anchor.length = 15 + static_cast<std::uint32_t>(rng() % 60);
      anchor.genome_begin = 5000 + anchor.query_begin + rng() % (rng() % 2 ? 5 : 3000);
      anchors.push_back(anchor);
    }
    std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) {
      return std::tuple(a.genome_end(), a.query_end()) < std::tuple(b.genome_end(), b.query_end());
    });
    // The recurrence written out: bases gained less 0.15 a base of shift, half its logarithm, and half of what is
    // sudden.
    std::vector<std::int64_t> best;
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      const Anchor& mine = anchors[i];
      best.push_back(mine.length);
      for (std::size_t j = 0; j < i; ++j) {
        const Anchor& last = anchors[j];
        const std::int64_t dq = std::int64_t{mine.query_end()} - last.query_end();
        const auto dg = static_cast<std::int64_t>(mine.genome_end()) - static_cast<std::int64_t>(last.genome_end());
        if (dq <= 0 || dg <= 0 || mine.query_begin <= last.query_begin || mine.genome_begin <= last.genome_begin)
          continue;
        const std::int64_t shift = std::abs(dq - dg),
                           between = std::max<std::int64_t>(std::min(dq, dg) - mine.length, 0);
        std::int64_t cost = 0;
        if (shift > 0) {
          std::int64_t log = 0;
          while ((shift + 1) >> (log + 1) > 0) ++log;
          cost = shift * 39 / 256 + std::clamp<std::int64_t>(shift - between / 8, 0, 60) / 2 + log / 2;
        }
        best[i] = std::max(best[i], best[j] + std::min({dq, dg, std::int64_t{mine.length}}) - cost);
      }
    }
    const std::int64_t most = best.empty() ? 0 : *std::max_element(best.begin(), best.end());
    std::vector<AnchorChain> chains;
    AnchorChainer().chain(anchors, chains);
    if (most < 40) {
      CHECK(chains.empty());
      continue;
    }
    REQUIRE(!chains.empty());
    CHECK(chains.front().score == most);
    for (const AnchorChain& chain : chains) {
      for (std::uint32_t i = chain.first + 1; i < chain.first + chain.count; ++i) {
        REQUIRE(anchors[i - 1].query_begin < anchors[i].query_begin);
        REQUIRE(anchors[i - 1].genome_begin < anchors[i].genome_begin);
      }
    }
  }
}
