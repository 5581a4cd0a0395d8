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

/// How far the diagonals of two anchors are apart.
WS_HD inline std::int64_t diagonals_apart(const Anchor& a, const Anchor& b) {
  const std::int64_t apart = a.diagonal() - b.diagonal();
  return apart < 0 ? -apart : apart;
}

/// The first anchor after `at`, which is not the last one, that is back near its diagonal, if the next one leaves that
/// by more than scattered errors do and the DP of what lies between may reach as far; else the next anchor. In tandem
/// repeats a chain may gain some anchors by two gaps that cost an alignment more.
WS_HD inline std::uint32_t after_detour(const Anchor* chain, std::uint32_t count, std::uint32_t at) {
  constexpr std::int64_t least = 15, furthest = 500;  // bases
  const std::int64_t left_by = diagonals_apart(chain[at + 1], chain[at]);
  if (left_by < least) return at + 1;
  for (std::uint32_t i = at + 2; i < count; ++i) {
    const std::int64_t apart = std::int64_t{chain[i].query_begin} - chain[at].query_end();
    if (apart > furthest) break;
    if (2 * diagonals_apart(chain[i], chain[at]) > left_by) continue;
    if (apart > 0 && left_by <= spare_of(static_cast<std::uint64_t>(apart))) return i;
  }
  return at + 1;
}

/// Calls visit(i, joint) for the joints of a chain, in its order; joint ends in anchor i. Anchors without one are not
/// on the path: those of detours, and those that earlier ones cover. O(count).
template <class Visit>
WS_HD inline void for_each_joint(const Anchor* chain, std::uint32_t count, Visit visit) {
  Corner end = {chain[0].query_end(), chain[0].genome_end()};
  for (std::uint32_t i = 0; i + 1 < count;) {
    i = after_detour(chain, count, i);
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
