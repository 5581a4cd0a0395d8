// Pairs: which alignments of two mates belong together, and how sure that is.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/insert_core.hpp"
#include "align/mapq_core.hpp"

namespace warpseed {

/// The score of two alignments as a proper pair: their own, and what their distance adds or takes.
WS_HD inline std::int32_t pair_score(std::int32_t score_a, std::int32_t score_b, const MateDistance& distance,
                                     const InsertView& expected) {
  const InsertRange& range = expected.of(distance.seen);
  const std::int32_t score = score_a + score_b + range.scores[distance.bases - range.low];
  return score > 0 ? score : 0;
}

/// The best pair among two reads' alignments.
struct PairChoice {
  std::int32_t first = nobody, second = nobody;  // indices
  std::int32_t score = 0;
  std::int32_t second_score = 0;  // of the next best pair
  std::uint32_t near_count = 0;   // other pairs nearly as good
  std::int32_t end_loss = 0;      // of both, and their ties: decide between equal scores
  std::uint64_t tie = 0;

  WS_HD bool comes_before(const PairChoice& other) const {
    if (score != other.score) return score > other.score;
    return end_loss != other.end_loss ? end_loss < other.end_loss : tie < other.tie;
  }
};

/// Looks at every proper pair of a[0..count_a) and b[0..count_b).
WS_HD inline PairChoice choose_pair(const Alignment* a, std::uint32_t count_a, std::uint32_t length_a,
                                    const Alignment* b, std::uint32_t count_b, std::uint32_t length_b,
                                    const InsertView& expected, const Scoring& scoring) {
  PairChoice best;
  const std::int32_t near = scoring.match + scoring.mismatch;
  for (int pass = 0; pass < 2; ++pass) {  // the second pass counts what comes near the best
    for (std::uint32_t i = 0; i < count_a; ++i) {
      for (std::uint32_t j = 0; j < count_b; ++j) {
        const MateDistance distance = mate_distance(a[i], length_a, b[j], length_b);
        if (!is_proper(expected, distance)) continue;
        const std::int32_t score = pair_score(a[i].score, b[j].score, distance, expected);
        const bool chosen = best.first == static_cast<std::int32_t>(i) && best.second == static_cast<std::int32_t>(j);
        if (pass == 0) {
          PairChoice pair;
          pair.first = static_cast<std::int32_t>(i), pair.second = static_cast<std::int32_t>(j);
          pair.score = score;
          pair.end_loss = a[i].end_loss + b[j].end_loss;
          pair.tie = a[i].tie ^ (b[j].tie << 1 | b[j].tie >> 63);
          if (best.first == nobody || pair.comes_before(best)) best = pair;
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
WS_HD inline std::int32_t pair_mapq(const PairChoice& choice, std::int32_t unpaired_score, const ReadTraits& a,
                                    const ReadTraits& b, const Scoring& scoring) {
  const std::int32_t rival = choice.second_score > unpaired_score ? choice.second_score : unpaired_score;
  Fixed quality = quality_of_difference(choice.score - rival, scoring);
  if (choice.near_count > 0) quality -= quality_of_crowd(choice.near_count);
  return less_repetitive(clamp_mapq(quality), a.repetitive + b.repetitive, a.length + b.length);
}

}  // namespace warpseed
