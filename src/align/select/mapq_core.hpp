// Mapping quality of an alignment on the Phred scale, 0 to 60.
//
// The estimate for one read follows bwa mem (Li, arXiv:1303.3997): the difference between best and second-best score,
// reduced for short or diverged alignments, for many near-best alignments and for repetitive seeds. share/doc/mapq.md
// measures its calibration. All values are fixed-point numbers with 16 fractional bits, so every machine gets the same
// result.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

constexpr std::int32_t max_mapq = 60;

/// A fixed-point number with 16 fractional bits.
using Fixed = std::int64_t;
constexpr Fixed fixed_one = 1 << 16;

WS_HD constexpr Fixed to_fixed(double value) {
  return static_cast<Fixed>(value * fixed_one + (value < 0 ? -0.5 : 0.5));
}
WS_HD constexpr Fixed times(Fixed a, Fixed b) {
  return a * b / fixed_one;
}

/// The binary logarithm of x > 0, bit by bit: each bit is the carry of a squaring.
WS_HD inline Fixed log2_fixed(std::uint64_t x) {
  const unsigned whole = 63 - leading_zeros(x);
  std::uint64_t rest = whole > 31 ? x >> (whole - 31) : x << (31 - whole);  // in [1, 2), 31 fractional bits
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

/// Quality against competitors takes three steps. Every point (one match) by which a competitor scores less makes it
/// less probable by this many decibels:
constexpr double phred_per_point = 4.8;
constexpr double probability_per_point = 0.33113;  // 10^(-phred_per_point / 10)

/// The probabilities of competitors add up. 42 fractional bits: smaller values change nothing, see damped_quality(),
/// and the remaining bits have room for four million competitors.
using CompetitorProbability = std::uint64_t;
constexpr unsigned competitor_probability_bits = 42;
constexpr CompetitorProbability one_competitor = CompetitorProbability{1} << competitor_probability_bits;

/// The probability of one competitor that scores `points` less.
WS_HD inline CompetitorProbability competitor_probability(std::int32_t points) {
  constexpr unsigned bits = 64 - competitor_probability_bits;
  constexpr auto share = static_cast<std::uint64_t>(probability_per_point * (1 << bits));
  CompetitorProbability weight = one_competitor;
  for (std::int32_t i = 0; i < points && weight > 0; ++i) weight = weight * share >> bits;
  return weight;
}

/// Qualities above that of one mismatch are overconfident and therefore damped: a larger difference may still be one
/// chance event, a gap; variants cluster; and some competitors were never found.
WS_HD constexpr Fixed damped_quality(Fixed quality) {
  constexpr Fixed mismatch = to_fixed(5 * phred_per_point);
  return quality <= mismatch ? quality : mismatch + times(to_fixed(0.365), quality - mismatch);
}

/// Quality against competitors with this total probability.
WS_HD inline Fixed quality_of_competitors(CompetitorProbability sum) {
  if (sum == 0) return fixed_one * max_mapq;
  return damped_quality(times(to_fixed(3.0103), competitor_probability_bits * fixed_one - log2_fixed(sum)));
}

/// Quality against one competitor that scores `points` less.
WS_HD inline Fixed quality_of_difference(std::int32_t points) {
  return damped_quality(to_fixed(phred_per_point) * points);
}

/// The quality penalty of `count` near-best alignments: 10 log10(count + 1).
WS_HD inline Fixed suboptimal_hits_penalty(std::uint32_t count) {
  return times(to_fixed(3.0103), log2_fixed(count + std::uint64_t{1}));
}

/// Reduces a quality by the fraction of read bases under seeds too frequent to use all occurrences.
WS_HD inline std::int32_t scale_by_unique_bases(std::int32_t quality, std::uint32_t repetitive, std::uint32_t length) {
  return repetitive == 0 ? quality : clamp_mapq(quality * fixed_one * (length - repetitive) / length);
}

/// The mapping quality of a single alignment with its competitors marked.
WS_HD inline std::int32_t single_mapq(const Alignment& alignment, const ReadTraits& read, const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  // An unseen competitor may score up to the shortest seed: assume at least that.
  std::int32_t competitor = static_cast<std::int32_t>(options.min_seed) * scoring.match;
  if (alignment.second_score > competitor) competitor = alignment.second_score;
  if (competitor >= alignment.score) return 0;
  const auto query_span = static_cast<std::int32_t>(alignment.query_end - alignment.query_begin);
  const auto genome_span = static_cast<std::int32_t>(alignment.genome_end - alignment.genome_begin);
  const std::int32_t span = query_span > genome_span ? query_span : genome_span;
  const std::int32_t lost = span * scoring.match - alignment.score;
  const Fixed most = Fixed{span} * (scoring.match + scoring.mismatch);
  const Fixed identity = (most - lost) * fixed_one / most;
  // Long alignments have more chances to differ; up to 50 bases there is no reduction.
  const Fixed log_span = log2_fixed(static_cast<std::uint32_t>(span));
  const Fixed log_50 = log2_fixed(50);
  const Fixed by_length = span < 50 ? fixed_one : log_50 * fixed_one / log_span;
  const Fixed damping = times(by_length, times(identity, identity));
  Fixed quality = times(to_fixed(5.5) * (alignment.score - competitor) / scoring.match, times(damping, damping));
  if (alignment.second_count > 0) quality -= suboptimal_hits_penalty(alignment.second_count);
  if (alignment.second_score > 0) {  // a competitor that was found
    const Fixed most_sure = quality_of_difference((alignment.score - alignment.second_score) / scoring.match);
    if (most_sure < quality) quality = most_sure;
  }
  return scale_by_unique_bases(clamp_mapq(quality), read.repetitive, read.length);
}

}  // namespace warpseed::align
