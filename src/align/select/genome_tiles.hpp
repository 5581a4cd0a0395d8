// Where the alignments of a read in a repeat are, on the CPU: spares rank_alignments() most comparisons.
#pragma once

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>

#include "align/alignment.hpp"

namespace warpseed::align {

/// The tiles of the genome, no shorter than any alignment, in which alignments begin: a bit for each hash of a tile. For
/// rank_alignments().
class GenomeTiles {
 public:
  /// alignments: all that will be added or asked about.
  explicit GenomeTiles(std::span<const Alignment> alignments) {
    GenomePos longest = 1;
    for (const Alignment& one : alignments) longest = std::max(longest, one.genome_end - one.genome_begin);
    shift_ = static_cast<unsigned>(std::bit_width(longest));
  }
  void add(const Alignment& alignment) { bits_[bit_of(tile_of(alignment))] = true; }

  /// False: overlaps none of those added.
  bool may_overlap(const Alignment& alignment) const {
    const std::uint64_t tile = tile_of(alignment);
    return bits_[bit_of(tile - 1)] || bits_[bit_of(tile)] || bits_[bit_of(tile + 1)];
  }

 private:
  static constexpr unsigned index_bits = 10;

  std::uint64_t tile_of(const Alignment& alignment) const { return alignment.genome_begin >> shift_; }
  static std::size_t bit_of(std::uint64_t tile) { return tile * 0x9E3779B97F4A7C15ULL >> (64 - index_bits); }

  unsigned shift_ = 0;
  std::bitset<1U << index_bits> bits_;
};

}  // namespace warpseed::align
