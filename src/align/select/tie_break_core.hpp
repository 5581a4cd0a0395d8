// Tie breaks: which of equally good alignments is chosen. As in bwa mem, a hash of the read or pair number and of an
// alignment's rank among all of them decides. So both programs choose the same one where they found the same
// alignments.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"

namespace warpseed::align {

/// Spreads the bits of a number: Thomas Wang's 64-bit mix.
WS_HD inline std::uint64_t spread_bits(std::uint64_t x) {
  x += ~(x << 32);
  x ^= x >> 22;
  x += ~(x << 13);
  x ^= x >> 8;
  x += x << 3;
  x ^= x >> 15;
  x += ~(x << 27);
  return x ^ x >> 31;
}

/// Where an alignment begins on its own strand; reverse strand positions follow all forward ones.
WS_HD inline std::uint64_t strand_position(const LocalAlignment& alignment) {
  return alignment.reverse ? ~alignment.genome_end : alignment.genome_begin;
}

/// By score, then by strand position; at the same position the one that begins first in the read.
WS_HD inline bool precedes(const LocalAlignment& a, const LocalAlignment& b) {
  if (a.score != b.score) return a.score > b.score;
  if (strand_position(a) != strand_position(b)) return strand_position(a) < strand_position(b);
  return a.reverse ? a.query_end > b.query_end : a.query_begin < b.query_begin;
}

/// Does only a tie break decide between two alignments of a read?
WS_HD inline bool is_tied(const LocalAlignment& a, const LocalAlignment& b) {
  return a.score == b.score && a.alt == b.alt && a.clip_penalty == b.clip_penalty;
}

/// The tie break hash of one of a read's best alignments, from its rank among alignments [0, count). The lowest wins.
/// O(count); lower-scoring alignments may be left out.
WS_HD inline std::uint64_t tie_break_hash(const Alignment& mine, const Alignment* alignments, std::uint32_t count,
                                          std::uint64_t read_number) {
  std::uint32_t before = 0;
  for (std::uint32_t k = 0; k < count; ++k) before += precedes(alignments[k], mine) ? 1 : 0;
  return spread_bits(read_number + before);
}

/// How many of a read's ranked alignments, the first ones, matter to a tie break.
struct BestAlignments {
  std::uint32_t tied = 0;    // tied for the best
  std::uint32_t scored = 0;  // of equal score; all if some are on ALT contigs, which come last
};

/// The lowest hash so far and its alignment; of equal ones the first.
struct LowestTieBreak {
  std::uint32_t index = 0;
  std::uint64_t tie_break = ~std::uint64_t{0};

  WS_HD void add(const LowestTieBreak& other) {
    if (other.tie_break < tie_break || (other.tie_break == tie_break && other.index < index)) *this = other;
  }
};

/// One of two mates' alignments, with its index among its read's.
struct MateAlignment {
  Alignment& alignment;
  std::uint32_t index;
  bool second;

  /// Where it begins on its own strand.
  WS_HD GenomePos begin() const { return alignment.reverse ? alignment.genome_end - 1 : alignment.genome_begin; }

  /// By start position; ties are sorted as in bwa mem.
  WS_HD bool precedes(const MateAlignment& other) const {
    const Alignment &a = alignment, &b = other.alignment;
    if (begin() != other.begin()) return begin() < other.begin();
    if (a.score != b.score) return a.score < b.score;
    if (index != other.index) return index < other.index;
    return a.reverse != b.reverse ? b.reverse : !second && other.second;
  }
};

/// A mate's pairable alignments: those off ALT contigs, ranked. Owns nothing.
struct MateList {
  Alignment* alignments = nullptr;
  std::uint32_t count = 0;
  std::uint32_t length = 0;  // of the read
};

/// The alignments of two mates, from which pairs are formed.
struct MateLists {
  MateList first, second;
  std::uint64_t pair_number = 0;

  /// The number of alignments of both mates.
  WS_HD std::uint32_t count() const { return first.count + second.count; }

  /// The k-th alignment of both, the first mate's before the second's.
  WS_HD MateAlignment operator[](std::uint32_t k) const {
    if (k < first.count) return {first.alignments[k], k, false};
    return {second.alignments[k - first.count], k - first.count, true};
  }

  /// Sets the pair rank of the k-th alignment: how many of all precede it. O(count()).
  WS_HD void assign_pair_rank(std::uint32_t k) const {
    const MateAlignment mine = (*this)[k];
    std::uint32_t before = 0;
    for (std::uint32_t other = 0; other < count(); ++other) before += (*this)[other].precedes(mine) ? 1 : 0;
    mine.alignment.pair_rank = before;
  }

  /// The tie break hash of the pair of the first's i-th and the second's j-th alignment, from their pair ranks. The
  /// lowest wins.
  WS_HD std::uint32_t tie_break_hash(std::uint32_t i, std::uint32_t j) const {
    const std::uint64_t one = first.alignments[i].pair_rank, other = second.alignments[j].pair_rank;
    const std::uint64_t pair = one < other ? one << 32 | other : other << 32 | one;
    return ~static_cast<std::uint32_t>(spread_bits(pair ^ pair_number << 8));
  }
};

}  // namespace warpseed::align
