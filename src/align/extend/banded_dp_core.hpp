// Extension of a seed to one side: banded affine-gap DP from a fixed start, score only.
//
// Gotoh, "An improved algorithm for matching biological sequences", J. Mol. Biol. 1982, in BLAST's form of extension:
// the best end anywhere (Zhang et al., J. Comput. Biol. 2000: greedy X-drop), and the best end at the read's end.
//
// One recurrence, three schedules of its cells with equal results: cell by cell here, by vectors of columns in
// simd_banded_dp.cpp, by the lanes of a warp in cuda/align/extend/warp_banded_dp.cuh (share/doc/modules/align_gpu.md).
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/extend/extension.hpp"
#include "align/extend/wavefront_core.hpp"

namespace warpseed::align {

/// One column of the DP: the best score (h) and the best score with a deletion open (e).
struct ExtensionCell {
  std::int32_t h = 0, e = 0;
};

/// Ungapped extension; exact where a gap cannot pay. The genome must be at least as long as the query.
WS_HD inline UngappedExtension extend_ungapped(const Strand& query, const Strand& genome, std::int32_t start_score,
                                               const Scoring& scoring) {
  UngappedExtension result;
  Extension& ends = result.ends;
  ends.best_score = start_score;
  std::int32_t score = start_score;
  result.lowest = start_score;
  for (std::int32_t i = 0; i < query.length; ++i) {
    score += score_of(scoring, query[i], genome[i]);
    if (score > ends.best_score) {
      ends.best_score = score;
      ends.best_query = ends.best_genome = i + 1;
    }
    if (score < result.lowest) result.lowest = score;
  }
  ends.full_score = score;
  ends.full_genome = query.length;
  result.loss = start_score + query.length * scoring.match - score;
  return result;
}

/// The first row: no genome base consumed, query bases inserted as far as the band goes.
WS_HD inline void start_row(ExtensionCell* row, std::int32_t columns, std::int32_t start_score, std::int32_t band,
                            const Scoring& scoring) {
  for (std::int32_t j = 0; j <= columns; ++j) row[j] = {0, 0};
  row[0].h = start_score;
  std::int32_t score = start_score - scoring.insertion_open - scoring.insertion_extend;
  for (std::int32_t j = 1; j <= columns && j <= band && score > 0; ++j, score -= scoring.insertion_extend)
    row[j].h = score;
}

/// The result of one DP row.
struct RowBest {
  std::int32_t score = 0, column = -1;
  std::int32_t last = 0;  // score of the last column computed
};

/// One genome base against query columns [begin, end): row[j] goes from "i bases, j query bases" to i + 1. `left` is
/// the score of column `begin` in the new row. Cells of score 0 are dead: no path continues from them.
WS_HD inline RowBest extend_row(const Strand& query, std::uint8_t base, std::int32_t begin, std::int32_t end,
                                std::int32_t left, const Scoring& scoring, ExtensionCell* row) {
  RowBest best;
  std::int32_t insertion = 0;
  for (std::int32_t j = begin; j < end; ++j) {
    const std::int32_t diagonal = row[j].h;
    const std::int32_t deletion = row[j].e;
    row[j].h = left;
    const std::int32_t aligned = diagonal > 0 ? diagonal + score_of(scoring, query[j], base) : 0;
    std::int32_t h = aligned > deletion ? aligned : deletion;
    h = h > insertion ? h : insertion;
    if (h > best.score) best.score = h, best.column = j;
    left = h;
    const std::int32_t open_deletion = aligned - scoring.deletion_open - scoring.deletion_extend;
    std::int32_t e = deletion - scoring.deletion_extend;
    e = e > open_deletion ? e : open_deletion;
    row[j].e = e > 0 ? e : 0;
    const std::int32_t open_insertion = aligned - scoring.insertion_open - scoring.insertion_extend;
    insertion -= scoring.insertion_extend;
    insertion = insertion > open_insertion ? insertion : open_insertion;
    insertion = insertion > 0 ? insertion : 0;
  }
  row[end].h = left;
  row[end].e = 0;
  best.last = left;
  return best;
}

/// z-drop: does the extension end here, because its best cell scores more than `drop` above this row's best, not
/// counting the gap between them?
WS_HD inline bool dropped(const Extension& best, std::int32_t i, const RowBest& row, const Scoring& scoring) {
  const std::int32_t genome_ahead = i + 1 - best.best_genome, query_ahead = row.column + 1 - best.best_query;
  const std::int32_t gap = genome_ahead > query_ahead ? (genome_ahead - query_ahead) * scoring.deletion_extend
                                                      : (query_ahead - genome_ahead) * scoring.insertion_extend;
  return best.best_score - row.score - gap > scoring.drop;
}

/// Is an end with the whole query and `genome_bases` consumed better than the best one so far, which consumed fewer?
/// Ties: the shorter gap, as a gap without gain is not taken.
WS_HD inline bool ends_better(const Extension& so_far, std::int32_t score, std::int32_t genome_bases,
                              std::int32_t query_length) {
  if (score <= 0 || score < so_far.full_score) return false;
  return score > so_far.full_score || genome_bases <= query_length;
}

/// Extends from `start_score` > 0 within `band` diagonals of the start. row: [query.length + 2] cells of scratch. Of
/// best ends with the same score it takes the one nearer to the start; for ends of the query see ends_better(). Cost:
/// O(genome length * min(band, query length)) cells, fewer where cells die.
WS_HD inline Extension extend_banded(const Strand& query, const Strand& genome, std::int32_t start_score,
                                     std::int32_t band, const Scoring& scoring, ExtensionCell* row) {
  Extension result;
  result.best_score = start_score;
  start_row(row, query.length, start_score, band, scoring);
  if (query.length == 0) result.full_score = start_score;
  std::int32_t begin = 0, end = query.length;
  for (std::int32_t i = 0; i < genome.length; ++i) {
    if (begin < i - band) begin = i - band;
    if (end > i + band + 1) end = i + band + 1;
    if (end > query.length) end = query.length;
    if (begin >= end) break;
    std::int32_t left = 0;
    if (begin == 0) left = start_score - scoring.deletion_open - scoring.deletion_extend * (i + 1);
    const RowBest best = extend_row(query, genome[i], begin, end, left > 0 ? left : 0, scoring, row);
    if (end == query.length && ends_better(result, best.last, i + 1, query.length)) {
      result.full_score = best.last;
      result.full_genome = i + 1;
    }
    if (best.score == 0) break;
    if (best.score > result.best_score) {
      result.best_score = best.score;
      result.best_query = best.column + 1;
      result.best_genome = i + 1;
    } else if (dropped(result, i, best, scoring)) {
      break;
    }
    while (begin < end && row[begin].h == 0 && row[begin].e == 0) ++begin;
    while (end > begin && row[end].h == 0 && row[end].e == 0) --end;
    end = end + 2 < query.length ? end + 2 : query.length;
  }
  return result;
}

/// The maximum number of genome bases that an extension of `query_length` bases can reach.
WS_HD inline std::int32_t genome_reach(std::int32_t query_length, std::int32_t band, const Scoring& scoring) {
  const std::int32_t gap = max_gap_for_loss(scoring, query_length * scoring.match + scoring.clip_end + scoring.drop);
  return query_length + (gap < band ? gap : band);
}

/// The extension of a seed to one side: ungapped where that is provably the best, else in the narrowest band that can
/// hold anything better. A gap of g bases costs open + g * extend, so it pays only against mismatches that cost more;
/// if these are few, wavefronts test whether one does. Near the contig's end limits.loss does not apply. fetch(n): the
/// next n bases of genome as a Strand, fewer at the contig's end; called at most twice, the second time for more.
/// dp.ungapped(), dp.gap_may_win() and dp.banded(): extend_ungapped(), gap_may_win() and extend_banded(), or
/// equivalents.
template <class Fetch, class TracebackDp>
WS_HD inline Extension extend(const Strand& query, Fetch fetch, std::int32_t start_score, const GapLimits& limits,
                              const Scoring& scoring, const TracebackDp& dp) {
  std::int32_t band = limits.band;
  const Strand ungapped_extension = fetch(query.length);
  if (ungapped_extension.length < query.length) {
    return dp.banded(query, fetch(genome_reach(query.length, band, scoring)), start_score, band, scoring);
  }
  const UngappedExtension ungapped = dp.ungapped(query, ungapped_extension, start_score, scoring);
  const GapSearch search(ungapped, query.length, start_score, scoring, limits);
  const std::int32_t gap = max_gap_for_loss(scoring, search.loss);
  if (gap == 0) return ungapped.ends;
  if (gap < band) band = gap;
  const Strand genome = fetch(genome_reach(query.length, band, scoring));
  if (search.possible(ungapped, scoring) && !dp.gap_may_win(search, query, genome)) return ungapped.ends;
  const Extension found = dp.banded(query, genome, start_score, band, scoring);
  return search.limited() ? search.better_of(ungapped.ends, found, start_score) : found;
}

}  // namespace warpseed::align
