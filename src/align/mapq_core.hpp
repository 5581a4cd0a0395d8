// Mapping quality: how sure a place is, on the Phred scale, 0 to 60.
//
// The estimate for one read follows bwa mem's reasoning (Li, arXiv:1303.3997): the distance from best to
// second-best score, damped for short or diverged alignments, for many near-best places and for repetitive seeds.
#pragma once

#include <cmath>
#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"

namespace warpseed {

constexpr std::int32_t max_mapq = 60;

WS_HD inline std::int32_t clamp_mapq(double quality) {
  if (quality < 0) return 0;
  return quality > max_mapq ? max_mapq : static_cast<std::int32_t>(quality + 0.499);
}

/// The Phred value of a score difference, per base of match: 6.02 = 20 log10(2).
WS_HD inline double quality_of_difference(std::int32_t difference, const Scoring& scoring) {
  return 6.02 * difference / scoring.match;
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
  const double span = query_span > genome_span ? query_span : genome_span;
  const double lost = span * scoring.match - alignment.score;
  const double identity = 1.0 - lost / (scoring.match + scoring.mismatch) / span;
  // Long alignments have more chances to differ: 3.912 = ln(50), the length up to which nothing is taken off.
  const double damping = (span < 50 ? 1.0 : 3.912 / std::log(span)) * identity * identity;
  double quality = quality_of_difference(alignment.score - rival, scoring) * damping * damping;
  if (alignment.second_count > 0) quality -= 4.343 * std::log(alignment.second_count + 1.0);
  return clamp_mapq(clamp_mapq(quality) * (1.0 - static_cast<double>(read.repetitive)));
}

}  // namespace warpseed
