// Mapping quality: how sure a place is, on the Phred scale, 0 to 60.
//
// The estimate for one read follows bwa mem's reasoning (Li, arXiv:1303.3997): the distance from best to
// second-best score, damped for short or diverged alignments, for many near-best places and for repetitive seeds.
// How far it can be believed is measured in share/doc/mapq.md. All in whole numbers with 16 bits after the point, so that
// every machine agrees.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "core/bits.hpp"

namespace warpseed {

constexpr std::int32_t max_mapq = 60;

/// A number with 16 bits after the point.
using Fixed = std::int64_t;
constexpr Fixed fixed_one = 1 << 16;

WS_HD constexpr Fixed to_fixed(double value) {
  return static_cast<Fixed>(value * fixed_one + (value < 0 ? -0.5 : 0.5));
}
WS_HD constexpr Fixed times(Fixed a, Fixed b) {
  return a * b / fixed_one;
}

/// The binary logarithm of x > 0: bit by bit, each the carry of a squaring.
WS_HD inline Fixed log2_fixed(std::uint32_t x) {
  const unsigned whole = 63 - leading_zeros(x);
  std::uint64_t rest = std::uint64_t{x} << (31 - whole);  // in [1, 2), 31 bits after the point
  Fixed fraction = 0;
  for (int bit = 0; bit < 16; ++bit) {
    rest = rest * rest >> 31;
    fraction = fraction << 1 | static_cast<Fixed>(rest >> 32);
    rest >>= rest >> 32;
  }
  return static_cast<Fixed>(whole) * fixed_one + fraction;
}

WS_HD inline std::int32_t clamp_mapq(Fixed quality) {
  if (quality < 0) return 0;
  const Fixed rounded = (quality + to_fixed(0.499)) / fixed_one;
  return rounded > max_mapq ? max_mapq : static_cast<std::int32_t>(rounded);
}

/// The Phred value of a difference between two scores. A mismatch costs match + mismatch, 5 with bwa's scores: it is
/// seen once in some 560 bases.
WS_HD inline Fixed quality_of_difference(std::int32_t difference, const Scoring& scoring) {
  return to_fixed(5.5) * difference / scoring.match;
}

/// What `count` places nearly as good take from a quality: 10 log10(count + 1).
WS_HD inline Fixed quality_of_crowd(std::uint32_t count) {
  return times(to_fixed(3.0103), log2_fixed(count + 1));
}

/// Takes from a quality the share of read bases under seeds that were too frequent to follow all.
WS_HD inline std::int32_t less_repetitive(std::int32_t quality, std::uint32_t repetitive, std::uint32_t length) {
  return repetitive == 0 ? quality : clamp_mapq(quality * fixed_one * (length - repetitive) / length);
}

/// Of an alignment on its own, its competitors marked.
WS_HD inline std::int32_t single_mapq(const Alignment& alignment, const ReadTraits& read, const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  // Below the shortest seed nothing would have been seen: that is the least a rival may have.
  std::int32_t rival = static_cast<std::int32_t>(options.min_seed) * scoring.match;
  if (alignment.second_score > rival) rival = alignment.second_score;
  if (rival >= alignment.score) return 0;
  const auto query_span = static_cast<std::int32_t>(alignment.query_end - alignment.query_begin);
  const auto genome_span = static_cast<std::int32_t>(alignment.genome_end - alignment.genome_begin);
  const std::int32_t span = query_span > genome_span ? query_span : genome_span;
  const std::int32_t lost = span * scoring.match - alignment.score;
  const Fixed most = Fixed{span} * (scoring.match + scoring.mismatch);
  const Fixed identity = (most - lost) * fixed_one / most;
  // Long alignments have more chances to differ: up to 50 bases nothing is taken off.
  const Fixed log_span = log2_fixed(static_cast<std::uint32_t>(span));
  const Fixed log_50 = log2_fixed(50);
  const Fixed by_length = span < 50 ? fixed_one : log_50 * fixed_one / log_span;
  const Fixed damping = times(by_length, times(identity, identity));
  Fixed quality = times(quality_of_difference(alignment.score - rival, scoring), times(damping, damping));
  if (alignment.second_count > 0) quality -= quality_of_crowd(alignment.second_count);
  return less_repetitive(clamp_mapq(quality), read.repetitive, read.length);
}

}  // namespace warpseed
