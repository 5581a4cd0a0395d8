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

namespace warpseed::align {

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
WS_HD inline Fixed log2_fixed(std::uint64_t x) {
  const unsigned whole = 63 - leading_zeros(x);
  std::uint64_t rest = whole > 31 ? x >> (whole - 31) : x << (31 - whole);  // in [1, 2), 31 bits after the point
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

/// How sure rivals leave a place is reckoned in three steps. Every point, a unit of a match, by which a rival scores less
/// makes it less probable by so many decibels:
constexpr double phred_of_point = 4.8;
constexpr double left_by_point = 0.33113;  // 10^(-phred_of_point / 10)

/// The probabilities of several rivals add up. 42 bits are after the point: what is below them is as sure as can be, see
/// damped_quality(), and above them there is room for four million rivals.
using CompetitorProbability = std::uint64_t;
constexpr unsigned competitor_probability_bits = 42;
constexpr CompetitorProbability one_competitor = CompetitorProbability{1} << competitor_probability_bits;

/// Of one rival.
WS_HD inline CompetitorProbability competitor_probability(std::int32_t points) {
  constexpr unsigned bits = 64 - competitor_probability_bits;
  constexpr auto share = static_cast<std::uint64_t>(left_by_point * (1 << bits));
  CompetitorProbability weight = one_competitor;
  for (std::int32_t i = 0; i < points && weight > 0; ++i) weight = weight * share >> bits;
  return weight;
}

/// What is surer than one mismatch makes it, is less sure than it says: what costs more may still be one chance event, a
/// gap; variants come together; and there are rivals that nobody has seen.
WS_HD constexpr Fixed damped_quality(Fixed quality) {
  constexpr Fixed mismatch = to_fixed(5 * phred_of_point);
  return quality <= mismatch ? quality : mismatch + times(to_fixed(0.365), quality - mismatch);
}

/// How sure a place is beside rivals of that weight together.
WS_HD inline Fixed quality_of_competitors(CompetitorProbability sum) {
  if (sum == 0) return fixed_one * max_mapq;
  return damped_quality(times(to_fixed(3.0103), competitor_probability_bits * fixed_one - log2_fixed(sum)));
}

/// The same beside one rival that scores `points` less.
WS_HD inline Fixed quality_of_difference(std::int32_t points) {
  return damped_quality(to_fixed(phred_of_point) * points);
}

/// What `count` places nearly as good take from a quality: 10 log10(count + 1).
WS_HD inline Fixed suboptimal_hits_penalty(std::uint32_t count) {
  return times(to_fixed(3.0103), log2_fixed(count + std::uint64_t{1}));
}

/// Takes from a quality the share of read bases under seeds that were too frequent to follow all.
WS_HD inline std::int32_t less_repetitive(std::int32_t quality, std::uint32_t repetitive, std::uint32_t length) {
  return repetitive == 0 ? quality : clamp_mapq(quality * fixed_one * (length - repetitive) / length);
}

/// Of an alignment on its own, its competitors marked.
WS_HD inline std::int32_t single_mapq(const Alignment& alignment, const ReadTraits& read, const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  // Below the shortest seed nothing would have been seen: that is the least a rival may have.
  std::int32_t competitor = static_cast<std::int32_t>(options.min_seed) * scoring.match;
  if (alignment.second_score > competitor) competitor = alignment.second_score;
  if (competitor >= alignment.score) return 0;
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
  Fixed quality = times(to_fixed(5.5) * (alignment.score - competitor) / scoring.match, times(damping, damping));
  if (alignment.second_count > 0) quality -= suboptimal_hits_penalty(alignment.second_count);
  if (alignment.second_score > 0) {  // a rival that has been seen
    const Fixed most_sure = quality_of_difference((alignment.score - alignment.second_score) / scoring.match);
    if (most_sure < quality) quality = most_sure;
  }
  return less_repetitive(clamp_mapq(quality), read.repetitive, read.length);
}

}  // namespace warpseed::align
