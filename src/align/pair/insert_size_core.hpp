// Distance and orientation of two alignments, and whether they are as expected of mates.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"

namespace warpseed::align {

/// Relative orientation of mates, seen along the strand of one of them: the other is on the same or the opposite
/// strand, downstream or upstream. FR and RF look the same from both mates.
enum class Orientation : std::uint8_t { ff = 0, fr = 1, rf = 2, rr = 3 };

constexpr unsigned orientation_count = 4;

WS_HD inline bool on_opposite_strands(Orientation seen) {
  return seen == Orientation::fr || seen == Orientation::rf;
}
WS_HD inline bool is_downstream(Orientation seen) {
  return seen == Orientation::ff || seen == Orientation::fr;
}

/// The orientation of the same pair seen from the other mate.
WS_HD inline Orientation from_other_mate(Orientation seen) {
  if (on_opposite_strands(seen)) return seen;
  return seen == Orientation::ff ? Orientation::rr : Orientation::ff;
}

/// From 5' end to 5' end, clipped bases included: for FR mates, the fragment's length.
struct MateDistance {
  std::int64_t bases = -1;  // -1: on different contigs
  Orientation seen = Orientation::fr;
};

/// The position of the read's 5' end, extrapolated over clipped bases: the first base of a forward alignment, one past
/// the last of a reverse one. May be outside the contig.
WS_HD inline std::int64_t fragment_end(const LocalAlignment& alignment, std::uint32_t read_length) {
  return alignment.reverse ? static_cast<std::int64_t>(alignment.genome_end) + (read_length - alignment.query_end)
                           : static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
}

/// The distance and orientation of `b` seen from `a`.
WS_HD inline MateDistance mate_distance(const LocalAlignment& a, std::uint32_t length_a, const LocalAlignment& b,
                                        std::uint32_t length_b) {
  if (a.contig != b.contig) return {};
  const std::int64_t rightwards = fragment_end(b, length_b) - fragment_end(a, length_a);
  const std::int64_t ahead = a.reverse ? -rightwards : rightwards;
  const bool opposite = a.reverse != b.reverse;
  if (ahead > 0) return {ahead, opposite ? Orientation::fr : Orientation::ff};
  return {-ahead, opposite ? Orientation::rf : Orientation::rr};
}

/// Distances are scored in fractions of a point. These break ties between pairs with the same score in points.
constexpr unsigned part_bits = 6;
constexpr std::int32_t units_per_point = 1 << part_bits;

/// Rounds to the nearest whole number of points, halves down.
WS_HD inline std::int32_t points_of(std::int32_t parts) {
  return (parts + units_per_point / 2 - 1) >> part_bits;
}

/// Expected distances of mates in one orientation; none where high < low.
struct InsertSizeRange {
  std::int64_t low = 0, high = -1;
  const std::int32_t* scores = nullptr;  // [high - low + 1]: a pair's score for each distance, in fractions of a point

  WS_HD bool holds(std::int64_t bases) const { return bases >= low && bases <= high; }
};

/// Expected distances by orientation of the second mate seen from the first. Owns nothing.
struct InsertSizeView {
  InsertSizeRange ranges[orientation_count];

  WS_HD const InsertSizeRange& of(Orientation seen) const { return ranges[static_cast<unsigned>(seen)]; }
};

WS_HD inline bool is_proper(const InsertSizeView& expected, const MateDistance& distance) {
  return expected.of(distance.seen).holds(distance.bases);
}

/// An interval of the genome.
struct GenomeRange {
  GenomePos begin = 0, end = 0;
};

/// The window of the mate of `anchor` in orientation `seen`, at a distance in `range`; clipped to `contig`.
WS_HD inline GenomeRange mate_window(const LocalAlignment& anchor, std::uint32_t anchor_length,
                                     std::uint32_t mate_length, Orientation seen, const InsertSizeRange& range,
                                     const GenomeRange& contig) {
  // Along the anchor's strand: the mate's 5' end is in [nearest, furthest], the mate is upstream or downstream of it.
  const std::int64_t nearest = is_downstream(seen) ? range.low : -range.high;
  const std::int64_t furthest = is_downstream(seen) ? range.high : -range.low;
  const std::int64_t length = mate_length;
  const std::int64_t from = on_opposite_strands(seen) ? nearest - length : nearest;
  const std::int64_t to = on_opposite_strands(seen) ? furthest : furthest + length;
  const std::int64_t end = fragment_end(anchor, anchor_length);
  const auto within_contig = [&](std::int64_t position) {
    const auto low = static_cast<std::int64_t>(contig.begin), high = static_cast<std::int64_t>(contig.end);
    return static_cast<GenomePos>(position < low ? low : position > high ? high : position);
  };
  if (anchor.reverse) return {within_contig(end - to), within_contig(end - from)};
  return {within_contig(end + from), within_contig(end + to)};
}

}  // namespace warpseed::align
