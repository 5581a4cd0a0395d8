// The joints of a chain: what lies between its anchors, in the read and in the genome.
#pragma once

#include <cstdint>

#include "align/long_reads/anchor.hpp"
#include "align/long_reads/two_piece_core.hpp"
#include "core/host_device.hpp"

namespace warpseed::align {

/// A position in the read, in the orientation of the chain, and in the genome.
struct Corner {
  std::uint32_t query = 0;
  GenomePos genome = 0;
};

/// From the end of an anchor to the first base of a later one that is right of it in both.
struct ChainJoint {
  Corner begin, end;

  WS_HD std::uint32_t query_length() const { return end.query - begin.query; }
  WS_HD std::uint64_t genome_length() const { return end.genome - begin.genome; }
};

constexpr std::int32_t widest_spare = 500;  // diagonals on either side of a band

/// Diagonals on either side of those of both corners: all for short pieces.
WS_HD inline std::int32_t spare_of(std::uint64_t query_length) {
  if (query_length >= 4 * static_cast<std::uint64_t>(widest_spare - short_piece)) return widest_spare;
  return short_piece + static_cast<std::int32_t>(query_length) / 4;
}

/// The diagonals that the path of a joint may use.
WS_HD inline DiagonalBand band_of(const ChainJoint& joint) {
  return DiagonalBand::around(static_cast<std::int32_t>(joint.query_length()),
                              static_cast<std::int32_t>(joint.genome_length()), spare_of(joint.query_length()));
}

/// The anchors that the path along a chain begins and ends with.
struct ChainPathEnds {
  std::uint32_t first = 0, last = 0;
};

/// Calls visit(i, joint) for the joints of a chain, in its order; joint ends in anchor i. ends, next: [anchors] the one
/// after each on the chain's path, see choose_path(). Anchors without a joint are not on the path, or earlier ones cover
/// them. O(anchors).
template <class Visit>
WS_HD inline void for_each_joint(const Anchor* chain, const ChainPathEnds& ends, const std::uint32_t* next,
                                 Visit visit) {
  Corner end = {chain[ends.first].query_end(), chain[ends.first].genome_end()};
  for (std::uint32_t i = ends.first; i != ends.last;) {
    i = next[i];
    const Anchor& anchor = chain[i];
    std::uint64_t overlap = end.query > anchor.query_begin ? end.query - anchor.query_begin : 0;
    if (end.genome > anchor.genome_begin + overlap) overlap = end.genome - anchor.genome_begin;
    if (overlap >= anchor.length) continue;
    visit(i,
          ChainJoint{end, {anchor.query_begin + static_cast<std::uint32_t>(overlap), anchor.genome_begin + overlap}});
    end = {anchor.query_end(), anchor.genome_end()};
  }
}

/// The most that mismatches alone may lose for no pair of gaps to cost less.
WS_HD inline std::int32_t most_lost_ungapped(const LongScoring& scoring) {
  return 2 * (scoring.gap_open + scoring.gap_extend) + scoring.match;
}

/// What an aligned pair loses against one that is equal and known.
WS_HD inline std::int32_t lost_by(const LongScoring& scoring, std::uint8_t query, std::uint8_t genome) {
  return query != genome || query > 3 ? scoring.match + scoring.mismatch : 0;
}

}  // namespace warpseed::align
