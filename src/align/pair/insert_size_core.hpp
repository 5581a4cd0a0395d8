// How far apart and in which orientation two alignments lie, and whether mates are expected so.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"

namespace warpseed::align {

/// How mates lie to each other, seen along the strand of one of them: the other is on the same strand or the opposite
/// one, ahead or behind. For mates that face each other, and for those back to back, it is the same from both.
enum class Orientation : std::uint8_t { ff = 0, fr = 1, rf = 2, rr = 3 };

constexpr unsigned orientation_count = 4;

WS_HD inline bool on_opposite_strands(Orientation seen) {
  return seen == Orientation::fr || seen == Orientation::rf;
}
WS_HD inline bool is_downstream(Orientation seen) {
  return seen == Orientation::ff || seen == Orientation::fr;
}

/// The same two mates seen from the other one.
WS_HD inline Orientation from_other_mate(Orientation seen) {
  if (on_opposite_strands(seen)) return seen;
  return seen == Orientation::ff ? Orientation::rr : Orientation::ff;
}

/// From 5' end to 5' end, clipped bases counted: of mates that face each other, the fragment's length.
struct MateDistance {
  std::int64_t bases = -1;  // -1: on different contigs
  Orientation seen = Orientation::fr;
};

/// Where the read's 5' end lies if its clipped bases were aligned too: the first base of a forward alignment,
/// one past the last of a reverse one. May lie outside the contig.
WS_HD inline std::int64_t fragment_end(const Alignment& alignment, std::uint32_t read_length) {
  return alignment.reverse ? static_cast<std::int64_t>(alignment.genome_end) + (read_length - alignment.query_end)
                           : static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
}

/// `b` as it is seen from `a`.
WS_HD inline MateDistance mate_distance(const Alignment& a, std::uint32_t length_a, const Alignment& b,
                                        std::uint32_t length_b) {
  if (a.contig != b.contig) return {};
  const std::int64_t rightwards = fragment_end(b, length_b) - fragment_end(a, length_a);
  const std::int64_t ahead = a.reverse ? -rightwards : rightwards;
  const bool opposite = a.reverse != b.reverse;
  if (ahead > 0) return {ahead, opposite ? Orientation::fr : Orientation::ff};
  return {-ahead, opposite ? Orientation::rf : Orientation::rr};
}

/// Distances are scored in parts of a point, by which pairs with the same score in points are told apart.
constexpr unsigned part_bits = 6;
constexpr std::int32_t parts_of_point = 1 << part_bits;

/// The nearest whole number of points; of two as near the lower one.
WS_HD inline std::int32_t points_of(std::int32_t parts) {
  return (parts + parts_of_point / 2 - 1) >> part_bits;
}

/// What is expected of mates in one orientation; none where high < low.
struct InsertSizeRange {
  std::int64_t low = 0, high = -1;
  const std::int32_t* scores = nullptr;  // [high - low + 1]: parts of a point that a distance adds to a pair

  WS_HD bool holds(std::int64_t bases) const { return bases >= low && bases <= high; }
};

/// What is expected, by orientation as the second mate is seen from the first. Owns nothing.
struct InsertSizeView {
  InsertSizeRange ranges[orientation_count];

  WS_HD const InsertSizeRange& of(Orientation seen) const { return ranges[static_cast<unsigned>(seen)]; }
};

WS_HD inline bool is_proper(const InsertSizeView& expected, const MateDistance& distance) {
  return expected.of(distance.seen).holds(distance.bases);
}

/// A stretch of genome.
struct GenomeRange {
  GenomePos begin = 0, end = 0;
};

/// Where the mate of `anchor` lies if it is seen from there as `seen`, at a distance in `range`; cut to `contig`.
WS_HD inline GenomeRange mate_window(const Alignment& anchor, std::uint32_t anchor_length, std::uint32_t mate_length,
                                     Orientation seen, const InsertSizeRange& range, const GenomeRange& contig) {
  // Along the anchor's strand: the mate's 5' end lies in [nearest, furthest], the mate before or behind that end.
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
