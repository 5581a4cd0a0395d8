// Chains and rescue: which hits join, the weights, where an unaligned mate is found.
#include <set>
#include <tuple>

#include "align/chain/chain_core.hpp"
#include "align/chain/diagonal_score_table.hpp"
#include "align/pair/mate_rescue_core.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "alignment_oracle.hpp"
#include "catch.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::text;
using test::Codes;

SeedHit hit_at(GenomePos genome, std::uint32_t query, std::uint32_t length, bool reverse = false) {
  SeedHit hit;
  hit.genome_begin = genome, hit.query_begin = query, hit.length = length, hit.reverse = reverse;
  return hit;
}

}  // namespace

TEST_CASE("collinear hits join, others do not", "[align][chain]") {
  std::vector<SeedHit> hits = {hit_at(1000, 0, 30), hit_at(1045, 40, 30),  // 5 deleted bases apart: one chain
                               hit_at(1400, 80, 25),                       // 320 diagonals off
                               hit_at(1000, 0, 30, true),                  // the other strand
                               hit_at(1010, 10, 15)};                      // inside the first
  std::vector<Chain> chains(hits.size());
  sort_hits(hits.data(), 5);
  const std::uint32_t count = build_chains(hits.data(), 0, 5, 150, 100, chains.data());
  REQUIRE(count == 3);
  CHECK(chains[0].weight() == 60);
  CHECK(chains[0].query_begin == 0);
  CHECK(chains[0].query_end == 70);
  CHECK(chains[0].genome_end == 1075);
  CHECK(chains[1].weight() == 25);
  CHECK(chains[2].reverse);
}

TEST_CASE("a chain's weight is the number of bases under its hits", "[align][chain]") {
  std::mt19937 rng(21);
  for (int round = 0; round < 200; ++round) {
    std::vector<SeedHit> hits;
    for (std::uint32_t i = 0; i < 8; ++i)
      hits.push_back(hit_at(5000 + rng() % 120, 0, static_cast<std::uint32_t>(10 + rng() % 20)));
    for (SeedHit& hit : hits) hit.query_begin = static_cast<std::uint32_t>(hit.genome_begin - 5000);  // one diagonal
    std::set<std::uint64_t> covered;
    for (const SeedHit& hit : hits) {
      for (std::uint64_t at = hit.query_begin; at < hit.query_end(); ++at) covered.insert(at);
    }
    std::vector<Chain> chains(hits.size());
    sort_hits(hits.data(), 8);
    REQUIRE(build_chains(hits.data(), 0, 8, 200, 100, chains.data()) == 1);
    REQUIRE(chains[0].weight() == covered.size());
  }
}

TEST_CASE("weak chains under a strong one are dropped, those on other bases kept", "[align][chain]") {
  std::vector<SeedHit> hits = {hit_at(1000, 0, 100), hit_at(90000, 20, 22), hit_at(50000, 110, 25)};
  std::vector<Chain> chains(hits.size());
  sort_hits(hits.data(), 3);
  const std::uint32_t built = build_chains(hits.data(), 0, 3, 150, 100, chains.data());
  REQUIRE(built == 3);
  const AlignOptions options;
  const auto kept_with = [&](std::int32_t score_at_90000) {
    std::vector<Chain> left = chains;
    const auto score_of = [&](const Chain& chain) {
      return chain.genome_begin == 90000 ? score_at_90000 : static_cast<std::int32_t>(chain.weight());
    };
    const std::uint32_t count = filter_chains(left.data(), built, 150, options, score_of, [](const Chain&) {});
    left.resize(count);
    return left;
  };
  const std::vector<Chain> without = kept_with(30);
  REQUIRE(without.size() == 2);
  CHECK(without[0].weight() == 100);
  CHECK(without[1].genome_begin == 50000);
  CHECK(kept_with(79).size() == 2);
  const std::vector<Chain> with = kept_with(85);  // few hits, but its diagonal scores nearly as much
  REQUIRE(with.size() == 3);
  CHECK(with[1].genome_begin == 90000);
}

TEST_CASE("a chain's expected score is its best diagonal, or its hits' cover less a gap", "[align][chain]") {
  const Scoring scoring;
  const auto ungapped_score = [&](std::vector<SeedHit> hits, std::vector<std::int32_t> scores) {
    std::vector<Chain> chains(hits.size());
    sort_hits(hits.data(), static_cast<std::uint32_t>(hits.size()));
    REQUIRE(build_chains(hits.data(), 0, static_cast<std::uint32_t>(hits.size()), 150, 100, chains.data()) == 1);
    std::size_t asked = 0;
    const std::int32_t score =
        expected_score(chains[0], hits.data(), scoring, [&](const SeedHit&) { return scores.at(asked++); });
    REQUIRE(asked == scores.size());
    return score;
  };
  CHECK(ungapped_score({hit_at(1000, 0, 40), hit_at(1060, 60, 40)}, {30}) == 80);  // one diagonal, scored once
  CHECK(ungapped_score({hit_at(1000, 0, 40), hit_at(1060, 60, 40)}, {95}) == 95);
  CHECK(ungapped_score({hit_at(1000, 0, 40), hit_at(1065, 60, 40)}, {30, 50}) ==
        80 - 6 - 5);  // a deletion of 5 between them
  CHECK(ungapped_score({hit_at(1000, 0, 40), hit_at(1065, 60, 40)}, {30, 75}) == 75);
  CHECK(ungapped_score({hit_at(1000, 0, 30), hit_at(1035, 30, 30), hit_at(1055, 60, 30)}, {30, 30, 30}) ==
        80 - 6 - 10);  // 80 genome bases
}

TEST_CASE("a single chain equals the one built from its hits, and detects a second chain", "[align][chain]") {
  const AlignOptions options;
  std::mt19937 rng(23);
  int single = 0, several = 0;
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const auto count = static_cast<std::uint32_t>(1 + rng() % 6);
    std::vector<SeedHit> hits;
    std::vector<std::int32_t> ungapped_scores;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto query = static_cast<std::uint32_t>(rng() % 100);
      hits.push_back(
          hit_at(5000 + query + rng() % 3 * (rng() % 60), query, static_cast<std::uint32_t>(19 + rng() % 30)));
      hits.back().rare = rng() % 4 == 0;
      ungapped_scores.push_back(static_cast<std::int32_t>(rng() % 150));
    }
    sort_hits(hits.data(), count);
    SingleChainBuilder made(hits[0], 0, ungapped_scores[0]);
    bool alone = true;
    for (std::uint32_t i = 1; i < count && alone; ++i)
      alone = made.take(hits[i], i, ungapped_scores[i], 150, options.band);

    std::vector<Chain> chains(count);
    const std::uint32_t built = build_chains(hits.data(), 0, count, 150, options.band, chains.data());
    REQUIRE(alone == (built == 1));
    ++(alone ? single : several);
    if (!alone) continue;
    const Chain &mine = made.chain, &wanted = chains[0];
    CHECK(std::tie(mine.first, mine.last, mine.query_begin, mine.query_end, mine.query_cover, mine.genome_cover) ==
          std::tie(wanted.first, wanted.last, wanted.query_begin, wanted.query_end, wanted.query_cover,
                   wanted.genome_cover));
    CHECK(std::tie(mine.genome_begin, mine.genome_end, mine.rare) ==
          std::tie(wanted.genome_begin, wanted.genome_end, wanted.rare));
    CHECK(made.score(options.scoring) == expected_score(wanted, hits.data(), options.scoring, [&](const SeedHit& hit) {
            return ungapped_scores[&hit - hits.data()];
          }));
  }
  CHECK(single > 100);
  CHECK(several > 100);
}

TEST_CASE("in a very repetitive read, chains with a rare hit come first", "[align][chain]") {
  AlignOptions options;
  options.max_diagonals = 8;
  std::vector<Chain> chains(40);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    chains[i].query_end = chains[i].query_cover = chains[i].genome_cover = 60;
    chains[i].genome_begin = 1000 * i;
  }
  chains[29].rare = true;
  chains[29].query_end = chains[29].query_cover = chains[29].genome_cover = 25;
  const auto score_of = [](const Chain& chain) { return chain.rare ? 90 : 60; };
  const std::uint32_t kept = filter_chains(chains.data(), 40, 100, options, score_of, [](const Chain&) {});
  REQUIRE(kept > 0);
  CHECK(chains[0].genome_begin == 29000);
}

TEST_CASE("the heaviest chains are those found by sorting, in their order", "[align][chain]") {
  std::mt19937 rng(24);
  for (int round = 0; round < 300; ++round) {
    const auto count = static_cast<std::uint32_t>(1 + rng() % 60), wanted = static_cast<std::uint32_t>(1 + rng() % 40);
    const std::uint32_t length = round % 3 == 0 ? 31 : 150;
    std::vector<Chain> chains(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      chains[i].query_cover = chains[i].genome_cover = static_cast<std::uint32_t>(1 + rng() % length);
      chains[i].rare = rng() % 5 == 0;
      chains[i].genome_begin = 10 * i;
    }
    std::vector<Chain> expected = chains;
    std::stable_sort(expected.begin(), expected.end(), [](const Chain& a, const Chain& b) {
      return a.rare != b.rare ? a.rare : a.weight() > b.weight();
    });
    expected.resize(std::min(count, wanted));
    std::sort(expected.begin(), expected.end(), by_position);
    const std::uint32_t kept = keep_heaviest_chains(chains.data(), count, wanted, length);
    REQUIRE(kept == expected.size());
    for (std::uint32_t i = 0; i < kept; ++i) REQUIRE(chains[i].genome_begin == expected[i].genome_begin);
  }
}

TEST_CASE("the score of a diagonal is that of its best stretch", "[align][chain]") {
  std::mt19937 rng(23);
  GenomeBuilder builder;
  builder.begin_contig("a");
  std::vector<std::uint8_t> codes = test::random_codes(3000, 4, rng);
  std::fill(codes.begin() + 700, codes.begin() + 720, code_n);
  std::fill(codes.begin() + 1900, codes.begin() + 1901, code_n);
  builder.add_codes(codes);
  const Genome genome = builder.finish();
  const Scoring scoring;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t length = 1 + rng() % 200, from = rng() % (codes.size() - length);
    std::string bases;
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint8_t code = rng() % 12 == 0 ? static_cast<std::uint8_t>(rng() % 5) : codes[from + i];
      bases += "ACGTN"[code];
    }
    PackedRead read;
    read.assign(bases);
    const std::size_t anchor = rng() % length;
    if (codes[from + anchor] > 3) continue;
    std::size_t begin = anchor, end = anchor;  // the stretch without N around the anchor
    while (begin > 0 && codes[from + begin - 1] < 4) --begin;
    while (end < length && codes[from + end] < 4) ++end;
    std::int32_t best = 0, score = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool same = read.codes(false)[i] == codes[from + i];
      score = std::max(score + (same ? scoring.match : -scoring.mismatch), 0);
      best = std::max(best, score);
    }
    const DiagonalStretch stretch =
        stretch_on_diagonal(read.length(), static_cast<std::uint32_t>(anchor), genome.view(), from + anchor);
    REQUIRE(diagonal_score(read.packed(false), stretch, genome.view().text, DiagonalScoreTable(scoring).steps()) ==
            best);
  }
}

TEST_CASE("small_sort gives the same order as std::sort", "[align][chain]") {
  std::mt19937 rng(22);
  for (const std::uint32_t size : {0U, 1U, 2U, 23U, 24U, 25U, 1000U}) {
    std::vector<std::uint32_t> items(size);
    for (auto& item : items) item = static_cast<std::uint32_t>(rng() % 500);
    auto expected = items;
    std::sort(expected.begin(), expected.end());
    small_sort(items.data(), size, [](std::uint32_t a, std::uint32_t b) { return a < b; });
    REQUIRE(items == expected);
  }
}

TEST_CASE("an unaligned mate is found on its diagonal", "[align][rescue]") {
  std::mt19937 rng(23);
  for (int round = 0; round < 200; ++round) {
    const Codes window = test::random_codes(600, 4, rng);
    const auto from = static_cast<std::uint32_t>(rng() % 500);
    Codes read(window.begin() + from, window.begin() + from + 100);
    for (int error = 0; error < 4; ++error) {
      auto& code = read[rng() % read.size()];
      code = static_cast<std::uint8_t>((code + 1) % 4);
    }
    std::vector<WordSlot> slots(256);
    WordTable table = {slots.data(), 256};
    fill_table(table, read.data(), 100);
    std::vector<std::uint16_t> votes(700);
    count_votes(table, 100, window.data(), 600, votes.data());
    const std::uint32_t diagonal = best_diagonal(votes.data(), 700);
    REQUIRE(diagonal == from + 100);
    const ExactRun run = longest_run(read.data(), 100, window.data(), 600, diagonal);
    REQUIRE(run.length >= 20);
    REQUIRE(run.window_begin - run.read_begin == from);
    REQUIRE(std::equal(read.begin() + run.read_begin, read.begin() + run.read_begin + run.length,
                       window.begin() + run.window_begin));
  }
}

TEST_CASE("the votes of a diagonal and its neighbours are cleared, no others", "[align][rescue]") {
  const std::uint32_t apart = GENERATE(1, 2, 7), diagonal = GENERATE(0, 3, 7, 20, 38, 39);
  std::vector<std::uint16_t> votes(40, 5);
  clear_votes(votes.data(), 40, diagonal, apart);
  for (std::uint32_t i = 0; i < 40; ++i) {
    CAPTURE(i, diagonal, apart);
    CHECK((votes[i] == 0) == (i < diagonal ? diagonal - i < apart : i - diagonal < apart));
  }
}

namespace {

/// Codes as bit planes.
struct OwnedBits {
  std::vector<std::uint32_t> memory;
  CodeBits bits;

  explicit OwnedBits(const Codes& codes) {
    const auto length = static_cast<std::uint32_t>(codes.size()), words = CodeBits::words_of(length);
    memory.assign(3 * words, 0);
    bits = {memory.data(), memory.data() + words, memory.data() + 2 * words, length};
    for (std::uint32_t i = 0; i < 32 * words; ++i) {
      const std::uint32_t code = i >= 32 && i - 32 < length ? codes[i - 32] : code_n;
      bits.low[i / 32] |= (code & 1) << i % 32, bits.high[i / 32] |= (code >> 1 & 1) << i % 32;
      bits.unknown[i / 32] |= (code > 3 ? 1U : 0U) << i % 32;
    }
  }
};

/// Words of bits from word `first` on; past the ends everything is unknown. third: a read's voters, or the unknown
/// bits.
VoteWords words_from(const CodeBits& bits, const std::uint32_t* third, int first) {
  VoteWords words;
  for (int w = 0; w < static_cast<int>(vote_words); ++w) {
    const int at = first + w, count = static_cast<int>((bits.length + 31) / 32);
    const bool inside = at >= 0 && at < count;
    words.low[w] = inside ? bits.low[at + 1] : 0, words.high[w] = inside ? bits.high[at + 1] : 0;
    words.third[w] = third ? (inside ? third[at] : 0) : (inside ? bits.unknown[at + 1] : ~0U);
  }
  return words;
}

/// The votes for one diagonal, each group of read words counted together with the following word.
std::uint32_t votes_on(const Codes& read, const Codes& window, const std::vector<std::uint32_t>& voters,
                       std::uint32_t diagonal) {
  const auto length = static_cast<std::uint32_t>(read.size());
  Codes beside(length, code_n);  // the window base at each base of the read
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t at = i + diagonal;
    if (at >= length && at - length < window.size()) beside[i] = window[at - length];
  }
  const OwnedBits mate(read), place(beside);
  const int count = static_cast<int>((length + 31) / 32), step = static_cast<int>(vote_words) - 1;
  std::uint32_t votes = 0;
  for (int first = 0; first == 0 || first + 1 < count; first += step) {
    VoteWords words = words_from(mate.bits, voters.data(), first);
    if (first + step + 1 < count) words.third[step] = 0;
    votes += votes_of(words, words_from(place.bits, nullptr, first), [](std::uint32_t bits) { return bits != 0; });
  }
  return votes;
}

/// A piece of the window with differences and Ns, or a tandem repeat of a short unit.
Codes read_like(const Codes& window, std::size_t length, std::mt19937& rng) {
  Codes behind = window;
  behind.erase(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(window.size() / 3));
  Codes read = test::mutated(behind, 20, rng);
  read.resize(length, 1);
  if (rng() % 3 == 0) {
    const std::size_t unit = 1 + rng() % 20;
    for (std::size_t i = unit; i < length; ++i) read[i] = read[i - unit];
  }
  if (rng() % 3 == 0) read[rng() % length] = code_n;
  return read;
}

}  // namespace

TEST_CASE("bit planes of packed bases equal those of their codes", "[align][rescue]") {
  std::mt19937 rng(31);
  for (int round = 0; round < 100; ++round) {
    const Codes codes = test::random_codes(32, 4, rng);
    std::uint64_t window = 0;
    for (const std::uint8_t code : codes) window = window << 2 | code;
    const OwnedBits wanted(codes);
    const BaseBits bits = bits_of_window(window);
    REQUIRE(bits.low == wanted.bits.low[1]);
    REQUIRE(bits.high == wanted.bits.high[1]);
  }
}

TEST_CASE("votes counted by diagonals equal those counted by words", "[align][rescue]") {
  std::mt19937 rng(29);
  for (int round = 0; round < 300; ++round) {
    const auto length = static_cast<std::uint32_t>(11 + rng() % 300);
    const auto window_length = static_cast<std::uint32_t>(1 + rng() % 400);
    Codes window = test::random_codes(window_length, rng() % 4 == 0 ? 2 : 4, rng);
    if (rng() % 3 == 0) window[rng() % window_length] = code_n;
    const Codes read = read_like(window, length, rng);
    CAPTURE(length, window_length, test::letters_of(read), test::letters_of(window));
    std::vector<WordSlot> slots(1024);
    WordTable table = {slots.data(), 1024};
    fill_table(table, read.data(), length);
    std::vector<std::uint16_t> votes(window_length + length);
    count_votes(table, length, window.data(), window_length, votes.data());
    const OwnedBits mate(read);
    std::vector<std::uint32_t> voters(length / 32 + 1);
    for (std::uint32_t i = 0; i < length; ++i) voters[i / 32] |= (may_vote(mate.bits, i) ? 1U : 0U) << i % 32;
    for (std::uint32_t i = 0; i < length; ++i) {
      const auto n = std::find(read.begin() + i, read.end(), code_n);
      const bool known = (known_words(mate.bits.unknown[i / 32 + 1], mate.bits.unknown[i / 32 + 2]) >> i % 32 & 1) != 0;
      REQUIRE(known == (n - read.begin() >= i + rescue_word));
    }
    for (std::uint32_t diagonal = 0; diagonal < votes.size(); ++diagonal) {
      CAPTURE(diagonal);
      REQUIRE(votes_on(read, window, voters, diagonal) == votes[diagonal]);
    }
  }
}
