// Local alignment of a whole read against a window: how mate rescue finds a mate without seeds.
//
// Smith and Waterman, J. Mol. Biol. 1981, with Gotoh's affine gaps.
#pragma once

#include <cstdint>

#include "align/extend_core.hpp"

namespace warpseed {

struct LocalEnd {
  std::int32_t score = 0;
  std::int32_t query_end = 0, genome_end = 0;  // half-open, from the start of the strands
};

/// One row of the programme; `row` as in extend_row(), but every cell may start an alignment.
WS_HD inline RowBest local_row(const Strand& query, std::uint8_t base, const Scoring& scoring,
                               ExtensionCell* row) {
  RowBest best;
  std::int32_t insertion = 0, left = 0;
  for (std::int32_t j = 0; j < query.length; ++j) {
    const std::int32_t deletion = row[j].e;
    const std::int32_t aligned = row[j].h + scoring.of(query[j], base);
    row[j].h = left;
    std::int32_t h = aligned > 0 ? aligned : 0;
    h = h > deletion ? h : deletion;
    h = h > insertion ? h : insertion;
    if (h > best.score) best.score = h, best.column = j;
    left = h;
    const std::int32_t open_deletion = h - scoring.deletion_open - scoring.deletion_extend;
    const std::int32_t keep_deletion = deletion - scoring.deletion_extend;
    row[j].e = keep_deletion > open_deletion ? keep_deletion : open_deletion;
    if (row[j].e < 0) row[j].e = 0;
    const std::int32_t open_insertion = h - scoring.insertion_open - scoring.insertion_extend;
    insertion -= scoring.insertion_extend;
    insertion = insertion > open_insertion ? insertion : open_insertion;
    insertion = insertion > 0 ? insertion : 0;
  }
  return best;
}

/// The best local alignment's end and score; of equals the leftmost in the genome. row: [query.length + 2].
/// `second`: the best score that ends at least a read length away from it.
WS_HD inline LocalEnd local_best_end(const Strand& query, const Strand& genome, const Scoring& scoring,
                                     ExtensionCell* row, std::int32_t& second) {
  LocalEnd best;
  second = 0;
  for (std::int32_t j = 0; j <= query.length; ++j) row[j] = {0, 0};
  for (std::int32_t i = 0; i < genome.length; ++i) {
    const RowBest found = local_row(query, genome[i], scoring, row);
    const bool far = i + 1 - best.genome_end >= query.length / 2;
    if (found.score > best.score) {
      if (far && best.score > second) second = best.score;
      best = {found.score, found.column + 1, i + 1};
    } else if (far && found.score > second) {
      second = found.score;
    }
  }
  return best;
}

}  // namespace warpseed
