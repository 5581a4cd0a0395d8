// Chains of collinear seed hits: building, scoring and filtering.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "core/bits.hpp"
#include "core/small_sort.hpp"
#include "core/types.hpp"

namespace warpseed::align {

constexpr std::uint32_t no_hit = 0xFFFFFFFFU;

/// One occurrence of a seed. Read positions are in the orientation that matches the forward strand.
struct SeedHit {
  GenomePos genome_begin = 0;
  std::uint32_t query_begin = 0;
  std::uint32_t length = 0;
  std::uint32_t contig = 0;
  std::uint32_t next = no_hit;  // the next hit of its chain, by genome position
  bool reverse = false;
  bool rare = false;  // its seed has few occurrences: SeedRules::few_rows

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
  std::int32_t score = 0;  // the minimum score expected of an alignment along the chain
  bool reverse = false;
  bool alt = false;   // on an ALT contig
  bool rare = false;  // has a rare hit
  GenomePos genome_begin = 0, genome_end = 0;

  /// The number of bases that the chain explains.
  WS_HD std::uint32_t weight() const { return query_cover < genome_cover ? query_cover : genome_cover; }
};

WS_HD inline bool comes_before(const SeedHit& a, const SeedHit& b) {
  if (a.reverse != b.reverse) return b.reverse;
  if (a.genome_begin != b.genome_begin) return a.genome_begin < b.genome_begin;
  if (a.query_begin != b.query_begin) return a.query_begin < b.query_begin;
  return a.length > b.length;
}

/// Sorts hits into the order that build_chains() needs.
WS_HD inline void sort_hits(SeedHit* hits, std::uint32_t count) {
  small_sort(hits, count, [](const SeedHit& a, const SeedHit& b) { return comes_before(a, b); });
}

/// The distance between the diagonals of a chain's last hit and `hit`, or -1 if they cannot be adjacent.
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

/// Adds a collinear hit to a chain as its last one, without linking it.
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

/// Appends hits[index] to a chain it is collinear with.
WS_HD inline void append(Chain& chain, SeedHit* hits, std::uint32_t index) {
  hits[chain.last].next = index;
  extend_chain(chain, hits[index], index);
}

WS_HD inline bool contains(const Chain& chain, const SeedHit& hit) {
  return hit.query_begin >= chain.query_begin && hit.query_end() <= chain.query_end &&
         hit.genome_begin >= chain.genome_begin && hit.genome_end() <= chain.genome_end;
}

/// Can neither `hit` nor any later hit continue the chain?
WS_HD inline bool closed(const Chain& chain, const SeedHit& hit, std::uint32_t read_length, std::int32_t band) {
  return chain.reverse != hit.reverse || chain.contig != hit.contig ||
         hit.genome_begin > chain.genome_end + read_length + static_cast<std::uint32_t>(band);
}

constexpr std::uint32_t max_open_chains = 48;  // maximum open chains examined: bounds the cost in tandem repeats

/// Of the most recent chains in [begin, count), the one that `hit` continues best, or no_hit. Ties: the one opened
/// last.
WS_HD inline std::uint32_t nearest_chain(const Chain* chains, std::uint32_t begin, std::uint32_t count,
                                         const SeedHit* hits, const SeedHit& hit, std::uint32_t read_length,
                                         std::int32_t band) {
  const std::uint32_t oldest = count > begin + max_open_chains ? count - max_open_chains : begin;
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

/// Can neither `hit` nor any later hit continue a chain of earlier hits? `before` is the last earlier hit.
WS_HD inline bool starts_new_cluster(const SeedHit& before, const SeedHit& hit, std::uint32_t read_length,
                                     std::int32_t band) {
  return before.reverse != hit.reverse || before.contig != hit.contig ||
         hit.genome_begin > before.genome_begin + 2 * read_length + static_cast<std::uint32_t>(band);
}

/// Adds each of hits [begin, end), sorted by comes_before(), to the nearest chain it is collinear with, or opens one; a
/// hit inside a chain adds nothing. chains: room for as many as hits; sorted by position. Returns their number.
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

/// The number of bases that two ranges share.
WS_HD inline std::int64_t overlap(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b, std::int64_t end_b) {
  const std::int64_t begin = begin_a > begin_b ? begin_a : begin_b;
  const std::int64_t end = end_a < end_b ? end_a : end_b;
  return end > begin ? end - begin : 0;
}

/// Do two ranges of read bases overlap so much that only one of them can be right?
WS_HD inline bool compete(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b, std::int64_t end_b) {
  const std::int64_t length_a = end_a - begin_a, length_b = end_b - begin_b;
  const std::int64_t shorter = length_a < length_b ? length_a : length_b;
  return static_cast<float>(overlap(begin_a, end_a, begin_b, end_b)) >= mask_level * static_cast<float>(shorter);
}

/// The begin of a chain or alignment on the read as sequenced.
WS_HD inline std::uint32_t read_begin(bool reverse, std::uint32_t begin, std::uint32_t end, std::uint32_t length) {
  return reverse ? length - end : begin;
}

/// Orders chains by their begin.
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

/// The score expected of an alignment along a chain: the best diagonal_score(hit) of its hits, or the bases its hits
/// cover less the cost of a gap across all these diagonals.
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
                             (high > low ? gap_cost(scoring, static_cast<std::int32_t>(high - low)) : 0);
  return cover > best ? cover : best;
}

/// Builds the chain of some hits as long as they form only one. Gives the results of build_chains() and
/// expected_score() without memory for chains or links between hits.
struct SingleChainBuilder {
  Chain chain;
  SeedHit last;                    // last hit of the chain
  std::int64_t low = 0, high = 0;  // diagonals
  std::int32_t best = 0;           // of their scores

  /// ungapped_score: the score of the hit's diagonal.
  WS_HD SingleChainBuilder(const SeedHit& hit, std::uint32_t index, std::int32_t ungapped_score)
      : chain(chain_of(hit, index)), last(hit), low(hit.diagonal()), high(hit.diagonal()), best(ungapped_score) {}

  /// Adds the next hit. Returns false if it opens another chain. Otherwise it becomes the chain's last hit, or is
  /// contained in the chain.
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
                               (high > low ? gap_cost(scoring, static_cast<std::int32_t>(high - low)) : 0);
    return cover > best ? cover : best;
  }
};

/// A chain is never dominated by one whose score is at most this much better.
WS_HD inline std::int32_t close_scores(const Scoring& scoring) {
  return 4 * (scoring.match + scoring.mismatch);  // four mismatches
}

/// A chain that scores more than this below a better one is dominated, unless it would be listed with it (XA).
WS_HD inline std::int32_t far_scores(const AlignOptions& options) {
  const std::int32_t mismatches = options.report_all ? 8 : 6;
  return mismatches * (options.scoring.match + options.scoring.mismatch);
}

/// Is `chain` so much worse than a better one that it can neither win nor reduce its MAPQ? A large score difference is
/// enough. At a smaller one, mismatches may explain few hits, so weight decides only where scores are not close. A
/// chain on an ALT contig never dominates one in the primary assembly.
WS_HD inline bool dominated(const Chain& chain, const Chain& better, const AlignOptions& options) {
  if (better.alt && !chain.alt) return false;
  const std::int32_t close = close_scores(options.scoring);
  const auto listed = static_cast<std::int32_t>((1 - options.alternative_ratio) * static_cast<float>(better.score));
  const std::int32_t far = listed > far_scores(options) ? listed : far_scores(options);
  const std::int32_t below = better.score - chain.score;
  if (below <= close) return false;
  const std::uint32_t gaps = better.query_end - better.query_begin - better.query_cover;
  if (below > far && gaps < options.min_seed) return true;  // `better` may not explain a longer gap
  return static_cast<float>(chain.weight()) < options.chain_drop * static_cast<float>(better.weight()) &&
         better.weight() >= chain.weight() + 2 * options.min_seed;
}

/// Priority of chains if there are too many: a rare hit, then the weight.
struct ChainRank {
  std::uint32_t rare;  // greater than all weights

  WS_HD explicit ChainRank(std::uint32_t read_length) : rare(std::uint32_t{1} << (64 - leading_zeros(read_length))) {}
  WS_HD std::uint32_t of(const Chain& chain) const { return chain.weight() + (chain.rare ? rare : 0); }

  /// The highest rank that at least `wanted` chains have. at_least(rank): the number of chains with at least this rank.
  template <class AtLeast>
  WS_HD std::uint32_t of_last(std::uint32_t wanted, AtLeast at_least) const {
    std::uint32_t least = 0;
    for (std::uint32_t bit = rare; bit > 0; bit /= 2) {
      if (at_least(least | bit) >= wanted) least |= bit;
    }
    return least;
  }
};

/// Keeps `wanted` of chains [count] in their order: those with a rare hit, then the heaviest, of equals the first. In
/// reads with too many repeats, rare hits lead to the correct position. Cost: O(count) for each bit of the read's
/// length.
WS_HD inline std::uint32_t keep_heaviest_chains(Chain* chains, std::uint32_t count, std::uint32_t wanted,
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

/// The order in which chains are filtered and extended.
WS_HD inline bool scores_higher(const Chain& a, const Chain& b) {
  return a.score != b.score ? a.score > b.score : by_position(a, b);
}

/// Is a chain dominated by a better one on the same read bases?
WS_HD inline bool filtered_by(const Chain& chain, const Chain& better, std::uint32_t read_length,
                              const AlignOptions& options) {
  return dominated(chain, better, options) && compete(chain, better, read_length);
}

/// Moves the best chain to the front and drops all that it alone dominates, which is most of them. Returns the number
/// kept.
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

/// Drops those of chains [count], sorted by position, that a better one on the same read bases dominates. Calls
/// score_of(chain), see expected_score(), for the heaviest options.max_diagonals chains, and coming(chain), for
/// prefetches, a few chains ahead. Keeps at most options.max_chains in the primary assembly, and as many on ALT
/// contigs. Returns their number; they come first, sorted by score.
template <class ScoreOf, class Coming>
WS_HD inline std::uint32_t filter_chains(Chain* chains, std::uint32_t count, std::uint32_t read_length,
                                         const AlignOptions& options, ScoreOf score_of, Coming coming) {
  constexpr std::uint32_t ahead = 8;
  if (count == 0) return 0;
  count = keep_heaviest_chains(chains, count, options.max_diagonals, read_length);
  for (std::uint32_t i = 0; i < count && i < ahead; ++i) coming(chains[i]);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i + ahead < count) coming(chains[i + ahead]);
    chains[i].score = score_of(chains[i]);
  }
  count = drop_dominated(chains, count, read_length, options);
  small_sort(chains, count, [](const Chain& a, const Chain& b) { return scores_higher(a, b); });
  std::uint32_t kept = 0, kept_alt = 0;  // separate limits: hundreds of ALT contigs must not displace others
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
