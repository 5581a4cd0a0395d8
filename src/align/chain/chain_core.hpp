// Chains: seeds at their places in the genome, joined where they are collinear, weighed and filtered.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "core/bits.hpp"
#include "core/small_sort.hpp"
#include "core/types.hpp"

namespace warpseed::align {

constexpr std::uint32_t no_hit = 0xFFFFFFFFU;

/// A seed at one of its places. Read positions are those of the orientation that matches the forward strand.
struct SeedHit {
  GenomePos genome_begin = 0;
  std::uint32_t query_begin = 0;
  std::uint32_t length = 0;
  std::uint32_t contig = 0;
  std::uint32_t next = no_hit;  // the next hit of its chain, by genome position
  bool reverse = false;
  bool rare = false;  // its seed has few places: SeedRules::few_rows

  WS_HD std::int64_t diagonal() const {
    return static_cast<std::int64_t>(genome_begin) - static_cast<std::int64_t>(query_begin);
  }
  WS_HD GenomePos genome_end() const { return genome_begin + length; }
  WS_HD std::uint32_t query_end() const { return query_begin + length; }
};

struct Chain {
  std::uint32_t first = 0, last = 0;  // hits
  std::uint32_t query_begin = 0, query_end = 0;
  std::uint32_t query_cover = 0, genome_cover = 0;  // bases under hits
  std::uint32_t contig = 0;
  std::int32_t score = 0;  // what an alignment along it can be expected to reach at least
  bool reverse = false;
  bool alt = false;   // on an ALT contig
  bool rare = false;  // one of its hits is
  GenomePos genome_begin = 0, genome_end = 0;

  /// Bases that the chain explains.
  WS_HD std::uint32_t weight() const { return query_cover < genome_cover ? query_cover : genome_cover; }
};

WS_HD inline bool comes_before(const SeedHit& a, const SeedHit& b) {
  if (a.reverse != b.reverse) return b.reverse;
  if (a.genome_begin != b.genome_begin) return a.genome_begin < b.genome_begin;
  if (a.query_begin != b.query_begin) return a.query_begin < b.query_begin;
  return a.length > b.length;
}

/// Puts hits in the order in which chains are built of them.
WS_HD inline void sort_hits(SeedHit* hits, std::uint32_t count) {
  small_sort(hits, count, [](const SeedHit& a, const SeedHit& b) { return comes_before(a, b); });
}

/// How far the diagonals of a chain's last hit and `hit` lie apart, or -1 where they cannot be neighbours.
WS_HD inline std::int64_t chain_distance(const SeedHit& last, const SeedHit& hit, std::uint32_t read_length,
                                         std::int32_t band) {
  if (hit.query_begin < last.query_begin || hit.query_end() < last.query_end()) return -1;
  if (hit.genome_begin > last.genome_end() + read_length + static_cast<std::uint32_t>(band)) return -1;
  const std::int64_t apart = hit.diagonal() - last.diagonal();
  const std::int64_t distance = apart < 0 ? -apart : apart;
  return distance <= band ? distance : -1;
}

WS_HD inline Chain chain_of(const SeedHit& hit, std::uint32_t index) {
  Chain chain;
  chain.first = chain.last = index;
  chain.query_begin = hit.query_begin, chain.query_end = hit.query_end();
  chain.query_cover = chain.genome_cover = hit.length;
  chain.contig = hit.contig, chain.reverse = hit.reverse, chain.rare = hit.rare;
  chain.genome_begin = hit.genome_begin, chain.genome_end = hit.genome_end();
  return chain;
}

/// Takes a hit that is collinear with a chain into it, as the last one, without a link to it.
WS_HD inline void extend_chain(Chain& chain, const SeedHit& hit, std::uint32_t index) {
  const std::uint32_t query_from = hit.query_begin > chain.query_end ? hit.query_begin : chain.query_end;
  if (hit.query_end() > query_from) chain.query_cover += hit.query_end() - query_from;
  const GenomePos genome_from = hit.genome_begin > chain.genome_end ? hit.genome_begin : chain.genome_end;
  if (hit.genome_end() > genome_from) {
    chain.genome_cover += static_cast<std::uint32_t>(hit.genome_end() - genome_from);
    chain.genome_end = hit.genome_end();
  }
  if (hit.query_end() > chain.query_end) chain.query_end = hit.query_end();
  chain.rare = chain.rare || hit.rare;
  chain.last = index;
}

/// Puts hits[index] at the end of a chain it is collinear with.
WS_HD inline void append(Chain& chain, SeedHit* hits, std::uint32_t index) {
  hits[chain.last].next = index;
  extend_chain(chain, hits[index], index);
}

WS_HD inline bool contains(const Chain& chain, const SeedHit& hit) {
  return hit.query_begin >= chain.query_begin && hit.query_end() <= chain.query_end &&
         hit.genome_begin >= chain.genome_begin && hit.genome_end() <= chain.genome_end;
}

/// Can neither `hit` nor any hit after it continue the chain?
WS_HD inline bool closed(const Chain& chain, const SeedHit& hit, std::uint32_t read_length, std::int32_t band) {
  return chain.reverse != hit.reverse || chain.contig != hit.contig ||
         hit.genome_begin > chain.genome_end + read_length + static_cast<std::uint32_t>(band);
}

constexpr std::uint32_t look_back = 48;  // chains open at one place: tandem repeats bound it

/// The chain among the latest of chains [begin, count) that `hit` continues best, or no_hit. Ties: the one opened last.
WS_HD inline std::uint32_t nearest_chain(const Chain* chains, std::uint32_t begin, std::uint32_t count,
                                         const SeedHit* hits, const SeedHit& hit, std::uint32_t read_length,
                                         std::int32_t band) {
  const std::uint32_t oldest = count > begin + look_back ? count - look_back : begin;
  std::uint32_t best = no_hit;
  std::int64_t best_distance = 0;
  for (std::uint32_t c = count; c-- > oldest;) {
    if (chains[c].reverse != hit.reverse || chains[c].contig != hit.contig) break;
    if (contains(chains[c], hit)) return c;
    const std::int64_t distance = chain_distance(hits[chains[c].last], hit, read_length, band);
    if (distance >= 0 && (best == no_hit || distance < best_distance)) best = c, best_distance = distance;
  }
  return best;
}

/// Can no chain of hits before `hit` be continued by it or by what comes after? `before` is the last of them.
WS_HD inline bool starts_new_cluster(const SeedHit& before, const SeedHit& hit, std::uint32_t read_length,
                                     std::int32_t band) {
  return before.reverse != hit.reverse || before.contig != hit.contig ||
         hit.genome_begin > before.genome_begin + 2 * read_length + static_cast<std::uint32_t>(band);
}

/// Joins each of hits [begin, end), which comes_before() has put in order, to the nearest chain it is collinear with, or
/// opens one; a hit inside a chain adds nothing. chains: room for as many; they come by place. Returns how many there are.
WS_HD inline std::uint32_t build_chains(SeedHit* hits, std::uint32_t begin, std::uint32_t end,
                                        std::uint32_t read_length, std::int32_t band, Chain* chains) {
  std::uint32_t chain_count = 0, open = 0;  // chains before `open` are closed
  for (std::uint32_t i = begin; i < end; ++i) {
    while (open < chain_count && closed(chains[open], hits[i], read_length, band)) ++open;
    const std::uint32_t nearest = nearest_chain(chains, open, chain_count, hits, hits[i], read_length, band);
    if (nearest == no_hit) {
      chains[chain_count++] = chain_of(hits[i], i);
    } else if (!contains(chains[nearest], hits[i])) {
      append(chains[nearest], hits, i);
    } else {
      chains[nearest].rare = chains[nearest].rare || hits[i].rare;
    }
  }
  return chain_count;
}

/// Bases that two ranges share.
WS_HD inline std::int64_t overlap(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b, std::int64_t end_b) {
  const std::int64_t begin = begin_a > begin_b ? begin_a : begin_b;
  const std::int64_t end = end_a < end_b ? end_a : end_b;
  return end > begin ? end - begin : 0;
}

/// Do two ranges of read bases share so much that only one of them can be right?
WS_HD inline bool compete(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b, std::int64_t end_b) {
  const std::int64_t length_a = end_a - begin_a, length_b = end_b - begin_b;
  const std::int64_t shorter = length_a < length_b ? length_a : length_b;
  return static_cast<float>(overlap(begin_a, end_a, begin_b, end_b)) >= mask_level * static_cast<float>(shorter);
}

/// Where a chain or alignment begins and ends on the read as it came from the sequencer.
WS_HD inline std::uint32_t read_begin(bool reverse, std::uint32_t begin, std::uint32_t end, std::uint32_t length) {
  return reverse ? length - end : begin;
}

/// An order of chains by where they begin.
WS_HD inline bool by_position(const Chain& a, const Chain& b) {
  if (a.reverse != b.reverse) return b.reverse;
  return a.genome_begin != b.genome_begin ? a.genome_begin < b.genome_begin : a.query_begin < b.query_begin;
}

/// Do two chains explain the same bases of a read?
WS_HD inline bool compete(const Chain& a, const Chain& b, std::uint32_t read_length) {
  const std::uint32_t begin_a = read_begin(a.reverse, a.query_begin, a.query_end, read_length);
  const std::uint32_t begin_b = read_begin(b.reverse, b.query_begin, b.query_end, read_length);
  return compete(begin_a, begin_a + a.query_end - a.query_begin, begin_b, begin_b + b.query_end - b.query_begin);
}

/// What an alignment along a chain can be expected to reach: the best of its hits' diagonals, each asked for with
/// diagonal_score(hit), or what its hits cover less the gap that leads over all these diagonals.
template <class DiagonalScore>
WS_HD inline std::int32_t expected_score(const Chain& chain, const SeedHit* hits, const Scoring& scoring,
                                         DiagonalScore diagonal_score) {
  std::int64_t last = hits[chain.first].diagonal(), low = last, high = last;
  std::int32_t best = diagonal_score(hits[chain.first]);
  for (std::uint32_t h = hits[chain.first].next; h != no_hit; h = hits[h].next) {
    const std::int64_t diagonal = hits[h].diagonal();
    if (diagonal == last) continue;
    last = diagonal;
    low = diagonal < low ? diagonal : low;
    high = diagonal > high ? diagonal : high;
    const std::int32_t score = diagonal_score(hits[h]);
    best = score > best ? score : best;
  }
  const std::int32_t cover = static_cast<std::int32_t>(chain.weight()) * scoring.match -
                             (high > low ? scoring.gap_cost(static_cast<std::int32_t>(high - low)) : 0);
  return cover > best ? cover : best;
}

/// The only chain of its hits, as long as they make one only: what build_chains() and expected_score() tell of it, without
/// memory for chains or links between hits.
struct SingleChainBuilder {
  Chain chain;
  SeedHit last;                    // of the hits in it
  std::int64_t low = 0, high = 0;  // diagonals
  std::int32_t best = 0;           // of their scores

  /// promise: what the hit's diagonal scores.
  WS_HD SingleChainBuilder(const SeedHit& hit, std::uint32_t index, std::int32_t ungapped_score)
      : chain(chain_of(hit, index)), last(hit), low(hit.diagonal()), high(hit.diagonal()), best(ungapped_score) {}

  /// The next hit. False if it opens another chain. The chain's last hit is this one then, or it lies within the chain.
  WS_HD bool take(const SeedHit& hit, std::uint32_t index, std::int32_t ungapped_score, std::uint32_t read_length,
                  std::int32_t band) {
    if (contains(chain, hit)) {
      chain.rare = chain.rare || hit.rare;
      return true;
    }
    if (chain_distance(last, hit, read_length, band) < 0) return false;
    extend_chain(chain, hit, index);
    if (hit.diagonal() != last.diagonal()) {
      low = hit.diagonal() < low ? hit.diagonal() : low;
      high = hit.diagonal() > high ? hit.diagonal() : high;
      best = ungapped_score > best ? ungapped_score : best;
    }
    last = hit;
    return true;
  }

  /// As expected_score().
  WS_HD std::int32_t score(const Scoring& scoring) const {
    const std::int32_t cover = static_cast<std::int32_t>(chain.weight()) * scoring.match -
                               (high > low ? scoring.gap_cost(static_cast<std::int32_t>(high - low)) : 0);
    return cover > best ? cover : best;
  }
};

/// Chains whose scores are no further apart are never hopeless beside each other.
WS_HD inline std::int32_t close_scores(const Scoring& scoring) {
  return 4 * (scoring.match + scoring.mismatch);  // four mismatches
}

/// Is `chain` so far below a better one that it neither wins nor makes it doubtful? Far in score is hopeless. At less
/// than that, few hits may come of mismatches: weight decides only where the scores are not close. However good a chain
/// on an ALT contig is, it makes none in the primary assembly hopeless.
WS_HD inline bool dominated(const Chain& chain, const Chain& better, const AlignOptions& options) {
  if (better.alt && !chain.alt) return false;
  const std::int32_t close = close_scores(options.scoring);
  const auto listed = static_cast<std::int32_t>((1 - options.alternative_ratio) * static_cast<float>(better.score));
  const std::int32_t far = listed > 2 * close ? listed : 2 * close;
  const std::int32_t below = better.score - chain.score;
  if (below <= close) return false;
  const std::uint32_t gaps = better.query_end - better.query_begin - better.query_cover;
  if (below > far && gaps < options.min_seed) return true;  // in a gap may lie what the better one does not explain
  return static_cast<float>(chain.weight()) < options.chain_drop * static_cast<float>(better.weight()) &&
         better.weight() >= chain.weight() + 2 * options.min_seed;
}

/// What decides which chains are looked at where they are too many: a rare hit, then the weight.
struct ChainRank {
  std::uint32_t rare;  // above all weights

  WS_HD explicit ChainRank(std::uint32_t read_length) : rare(std::uint32_t{1} << (64 - leading_zeros(read_length))) {}
  WS_HD std::uint32_t of(const Chain& chain) const { return chain.weight() + (chain.rare ? rare : 0); }

  /// The highest rank that `wanted` chains have. at_least(rank): how many chains have it.
  template <class AtLeast>
  WS_HD std::uint32_t of_last(std::uint32_t wanted, AtLeast at_least) const {
    std::uint32_t least = 0;
    for (std::uint32_t bit = rare; bit > 0; bit /= 2) {
      if (at_least(least | bit) >= wanted) least |= bit;
    }
    return least;
  }
};

/// Keeps `wanted` of chains [count] in their order: those with a rare hit and then the heaviest, of equals the first.
/// Where a read repeats more often than can be looked at, what is rare leads to its own place. Cost: O(count) for each
/// bit of the read's length.
WS_HD inline std::uint32_t heaviest_chains(Chain* chains, std::uint32_t count, std::uint32_t wanted,
                                           std::uint32_t read_length) {
  if (count <= wanted) return count;
  const ChainRank rank(read_length);
  const auto at_least = [&](std::uint32_t least) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i) found += rank.of(chains[i]) >= least ? 1 : 0;
    return found;
  };
  const std::uint32_t least = rank.of_last(wanted, at_least);
  std::uint32_t equals = wanted - at_least(least + 1), kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t mine = rank.of(chains[i]);
    if (mine < least || (mine == least && equals == 0)) continue;
    if (mine == least) --equals;
    if (kept != i) chains[kept] = chains[i];
    ++kept;
  }
  return kept;
}

/// The order in which chains are looked at.
WS_HD inline bool scores_higher(const Chain& a, const Chain& b) {
  return a.score != b.score ? a.score > b.score : by_position(a, b);
}

/// Is a chain hopeless beside a better one on the same read bases?
WS_HD inline bool filtered_by(const Chain& chain, const Chain& better, std::uint32_t read_length,
                              const AlignOptions& options) {
  return dominated(chain, better, options) && compete(chain, better, read_length);
}

/// Puts the most promising chain first and takes out all that it alone makes hopeless, which is most of them. Returns how
/// many stay.
WS_HD inline std::uint32_t drop_dominated(Chain* chains, std::uint32_t count, std::uint32_t read_length,
                                          const AlignOptions& options) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (scores_higher(chains[i], chains[best])) best = i;
  }
  const Chain leader = chains[best];
  if (best != 0) chains[best] = chains[0], chains[0] = leader;
  std::uint32_t kept = 1;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (filtered_by(chains[i], leader, read_length, options)) continue;
    if (kept != i) chains[kept] = chains[i];
    ++kept;
  }
  return kept;
}

/// Drops chains [count], which come by place, that are hopeless beside a better one on the same read bases.
/// score_of(chain), see expected_score(), is asked for the heaviest options.max_diagonals chains, each announced a few
/// chains ahead by coming(chain); at most options.max_chains stay in the primary assembly, and as many on ALT contigs.
/// Returns how many; they stand first, the most promising one foremost.
template <class ScoreOf, class Coming>
WS_HD inline std::uint32_t filter_chains(Chain* chains, std::uint32_t count, std::uint32_t read_length,
                                         const AlignOptions& options, ScoreOf score_of, Coming coming) {
  constexpr std::uint32_t ahead = 8;
  if (count == 0) return 0;
  count = heaviest_chains(chains, count, options.max_diagonals, read_length);
  for (std::uint32_t i = 0; i < count && i < ahead; ++i) coming(chains[i]);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i + ahead < count) coming(chains[i + ahead]);
    chains[i].score = score_of(chains[i]);
  }
  count = drop_dominated(chains, count, read_length, options);
  small_sort(chains, count, [](const Chain& a, const Chain& b) { return scores_higher(a, b); });
  std::uint32_t kept = 0, kept_alt = 0;  // hundreds of ALT contigs must not use up what the primary assembly may take
  for (std::uint32_t i = 0; i < count; ++i) {
    bool keep = (chains[i].alt ? kept_alt : kept - kept_alt) < options.max_chains;
    for (std::uint32_t j = 0; j < kept && keep; ++j) {
      keep = !filtered_by(chains[i], chains[j], read_length, options);
    }
    if (!keep) continue;
    if (chains[i].alt) ++kept_alt;
    chains[kept++] = chains[i];
  }
  return kept;
}

}  // namespace warpseed::align
