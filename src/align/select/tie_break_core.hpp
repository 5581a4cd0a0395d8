// Lots: which of the best alignments is taken where nothing else tells them apart. They are drawn as bwa mem draws them,
// from a number of the read or pair and from where an alignment stands among all of them, so that both take the same one
// wherever they have seen the same ones.
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

/// Where an alignment begins on its own strand, all of the reverse strand behind all of the forward one.
WS_HD inline std::uint64_t strand_position(const Alignment& alignment) {
  return alignment.reverse ? ~alignment.genome_end : alignment.genome_begin;
}

/// By score, then along the strands; of those that begin at the same place the one that begins first in the read.
WS_HD inline bool precedes(const Alignment& a, const Alignment& b) {
  if (a.score != b.score) return a.score > b.score;
  if (strand_position(a) != strand_position(b)) return strand_position(a) < strand_position(b);
  return a.reverse ? a.query_end > b.query_end : a.query_begin < b.query_begin;
}

/// Does only a lot decide between two alignments of a read?
WS_HD inline bool is_tied(const Alignment& a, const Alignment& b) {
  return a.score == b.score && a.alt == b.alt && a.clip_penalty == b.clip_penalty;
}

/// The lot of one of a read's best alignments, by how many of its alignments [0, count) stand before it. The lowest comes
/// first. O(count); those that score less may be left out.
WS_HD inline std::uint64_t tie_break_hash(const Alignment& mine, const Alignment* alignments, std::uint32_t count,
                                          std::uint64_t read_number) {
  std::uint32_t before = 0;
  for (std::uint32_t k = 0; k < count; ++k) before += precedes(alignments[k], mine) ? 1 : 0;
  return spread_bits(read_number + before);
}

/// Of a read's ranked alignments the first ones that matter to a draw.
struct BestAlignments {
  std::uint32_t tied = 0;    // between which lots decide
  std::uint32_t scored = 0;  // that score as much; all of the read's if some are on ALT contigs, which stand behind
};

/// The lowest lot so far and whose it is, of equal ones the first.
struct LowestTieBreak {
  std::uint32_t index = 0;
  std::uint64_t tie_break = ~std::uint64_t{0};

  WS_HD void add(const LowestTieBreak& other) {
    if (other.tie_break < tie_break || (other.tie_break == tie_break && other.index < index)) *this = other;
  }
};

/// One of two mates' alignments, the index-th of its read.
struct MateAlignment {
  Alignment& alignment;
  std::uint32_t index;
  bool second;

  /// Where it begins on its own strand.
  WS_HD GenomePos begin() const { return alignment.reverse ? alignment.genome_end - 1 : alignment.genome_begin; }

  /// By where they begin; of equals as bwa mem sorts them.
  WS_HD bool precedes(const MateAlignment& other) const {
    const Alignment &a = alignment, &b = other.alignment;
    if (begin() != other.begin()) return begin() < other.begin();
    if (a.score != b.score) return a.score < b.score;
    if (index != other.index) return index < other.index;
    return a.reverse != b.reverse ? b.reverse : !second && other.second;
  }
};

/// What a mate may be paired by: its alignments off ALT contigs, ranked. Owns nothing.
struct MateList {
  Alignment* alignments = nullptr;
  std::uint32_t count = 0;
  std::uint32_t length = 0;  // of the read
};

/// Two mates, of whose alignments pairs are made.
struct MateLists {
  MateList first, second;
  std::uint64_t pair_number = 0;

  /// Of both.
  WS_HD std::uint32_t count() const { return first.count + second.count; }

  /// The k-th alignment of both, the first mate's before the second's.
  WS_HD MateAlignment operator[](std::uint32_t k) const {
    if (k < first.count) return {first.alignments[k], k, false};
    return {second.alignments[k - first.count], k - first.count, true};
  }

  /// Tells the k-th alignment how many of all stand before it. O(count()).
  WS_HD void assign_pair_rank(std::uint32_t k) const {
    const MateAlignment mine = (*this)[k];
    std::uint32_t before = 0;
    for (std::uint32_t other = 0; other < count(); ++other) before += (*this)[other].precedes(mine) ? 1 : 0;
    mine.alignment.pair_rank = before;
  }

  /// The lot of the pair of the i-th alignment of the first and the j-th of the second, which know their standing. The
  /// lowest comes first.
  WS_HD std::uint32_t tie_break_hash(std::uint32_t i, std::uint32_t j) const {
    const std::uint64_t one = first.alignments[i].pair_rank, other = second.alignments[j].pair_rank;
    const std::uint64_t pair = one < other ? one << 32 | other : other << 32 | one;
    return ~static_cast<std::uint32_t>(spread_bits(pair ^ pair_number << 8));
  }
};

}  // namespace warpseed::align
