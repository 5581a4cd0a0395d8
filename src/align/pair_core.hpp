// Pairs: the distance of two alignments, how likely it is, and where a lost mate should be.
#pragma once

#include <cmath>
#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/chain_core.hpp"
#include "align/mapq_core.hpp"

namespace warpseed {

/// Where the read's 5' end lies if its clipped bases were aligned too: the first base of a forward alignment,
/// one past the last of a reverse one. May lie outside the contig.
WS_HD inline std::int64_t fragment_end(const Alignment& alignment, std::uint32_t read_length) {
  return alignment.reverse ? static_cast<std::int64_t>(alignment.genome_end) + (read_length - alignment.query_end)
                           : static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
}

/// The fragment length of mates that face each other on one contig; -1 for others. May be negative as well when
/// they face each other past one another.
WS_HD inline std::int64_t insert_size(const Alignment& a, std::uint32_t length_a, const Alignment& b,
                                      std::uint32_t length_b) {
  if (a.contig != b.contig || a.reverse == b.reverse) return -1;
  const std::int64_t distance = fragment_end(b, length_b) - fragment_end(a, length_a);
  const std::int64_t size = a.reverse ? -distance : distance;
  return size > 0 ? size : -1;
}

WS_HD inline bool is_proper(const InsertModel& model, std::int64_t size) {
  return model.known && size >= model.low && size <= model.high;
}

/// The score of two alignments as a pair: their own, less how unusual the insert size is (a natural logarithm
/// of the two-sided tail of the normal distribution, in units of score: 0.721 = 1 / ln(4), as one base tells
/// four apart).
WS_HD inline std::int32_t pair_score(std::int32_t score_a, std::int32_t score_b, std::int64_t size,
                                     const InsertModel& model, const Scoring& scoring) {
  const double z = std::fabs((static_cast<double>(size) - model.mean) / model.deviation);
  const double tail = 2.0 * std::erfc(z * 0.70710678118654752);
  const double score = score_a + score_b + 0.721 * std::log(tail > 1e-300 ? tail : 1e-300) * scoring.match;
  return score > 0 ? static_cast<std::int32_t>(score + 0.499) : 0;
}

/// The best pair among two reads' alignments.
struct PairChoice {
  std::int32_t first = nobody, second = nobody;  // indices
  std::int32_t score = 0;
  std::int32_t second_score = 0;  // of the next best pair
  std::uint32_t near_count = 0;   // other pairs nearly as good
  std::uint64_t tie = 0;
};

/// Looks at every proper pair of a[0..count_a) and b[0..count_b). Equal scores are decided by the alignments' ties.
WS_HD inline PairChoice choose_pair(const Alignment* a, std::uint32_t count_a, std::uint32_t length_a,
                                    const Alignment* b, std::uint32_t count_b, std::uint32_t length_b,
                                    const InsertModel& model, const Scoring& scoring) {
  PairChoice best;
  const std::int32_t near = scoring.match + scoring.mismatch;
  for (int pass = 0; pass < 2; ++pass) {  // the second pass counts what comes near the best
    for (std::uint32_t i = 0; i < count_a; ++i) {
      for (std::uint32_t j = 0; j < count_b; ++j) {
        const std::int64_t size = insert_size(a[i], length_a, b[j], length_b);
        if (!is_proper(model, size)) continue;
        const std::int32_t score = pair_score(a[i].score, b[j].score, size, model, scoring);
        const std::uint64_t tie = a[i].tie ^ (b[j].tie << 1 | b[j].tie >> 63);
        const bool chosen = best.first == static_cast<std::int32_t>(i) && best.second == static_cast<std::int32_t>(j);
        if (pass == 0) {
          if (best.first != nobody && (score < best.score || (score == best.score && tie >= best.tie))) continue;
          best.first = static_cast<std::int32_t>(i), best.second = static_cast<std::int32_t>(j);
          best.score = score, best.tie = tie;
        } else if (!chosen) {
          if (score > best.second_score) best.second_score = score;
          if (best.score - score <= near) ++best.near_count;
        }
      }
    }
  }
  return best;
}

/// A read's mapping quality once its pair is chosen: the pair's certainty lifts a doubtful read, by 40 at most.
WS_HD inline std::int32_t paired_mapq(std::int32_t single, std::int32_t pair) {
  if (pair <= single) return single;
  return pair < single + 40 ? pair : single + 40;
}

/// The certainty of a chosen pair against the next best pair and against the best unpaired placement.
WS_HD inline std::int32_t pair_mapq(const PairChoice& choice, std::int32_t unpaired_score, float repetitive_a,
                                    float repetitive_b, const Scoring& scoring) {
  const std::int32_t rival = choice.second_score > unpaired_score ? choice.second_score : unpaired_score;
  double quality = quality_of_difference(choice.score - rival, scoring);
  if (choice.near_count > 0) quality -= 4.343 * std::log(choice.near_count + 1.0);
  const double repetitive = 0.5 * (static_cast<double>(repetitive_a) + static_cast<double>(repetitive_b));
  return clamp_mapq(clamp_mapq(quality) * (1.0 - repetitive));
}

/// The genome positions where the mate of `anchor` may lie, within the anchor's contig.
WS_HD inline void mate_window(const Alignment& anchor, std::uint32_t anchor_length, std::uint32_t mate_length,
                              const InsertModel& model, GenomePos contig_begin, GenomePos contig_end, GenomePos& begin,
                              GenomePos& end) {
  const std::int64_t near_end = fragment_end(anchor, anchor_length);
  const auto mate = static_cast<std::int64_t>(mate_length);
  const std::int64_t from = anchor.reverse ? near_end - model.high : near_end + model.low - mate;
  const std::int64_t to = anchor.reverse ? near_end - model.low + mate : near_end + model.high;
  const auto low = static_cast<std::int64_t>(contig_begin), high = static_cast<std::int64_t>(contig_end);
  begin = static_cast<GenomePos>(from < low ? low : from > high ? high : from);
  end = static_cast<GenomePos>(to < low ? low : to > high ? high : to);
}

}  // namespace warpseed
