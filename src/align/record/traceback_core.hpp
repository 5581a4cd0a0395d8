// End-to-end alignment with traceback: the CIGAR of an alignment with known ends.
//
// Gotoh 1982. Ties: leftmost gaps win, and a deletion is preferred to an insertion.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"

namespace warpseed::align {

/// One column of the DP row: the best score, and the best score with a deletion open.
struct PathCell {
  std::int32_t h = 0, e = 0;
};

/// Scratch for one traceback; the caller owns the memory. Row and Steps: pointers, or types indexed like them.
template <class Row, class Steps>
struct PathScratch {
  Row row;      // [query length + 1] PathCell
  Steps steps;  // [genome length * (2 * band + 1)] bytes
};

namespace path_step {
constexpr std::uint8_t aligned = 0, deletion = 1,
                       insertion = 2;         // bits 0 and 1: where the best score comes from
constexpr std::uint8_t deletion_extends = 4;  // the deletion was already open in the previous cell
constexpr std::uint8_t insertion_extends = 8;
}  // namespace path_step

/// The half-width of the band that a path of this score can touch. Both extensions of a seed stay within the options'
/// band of its diagonal, and so does the corner from which this is counted. So twice the band is enough, and bounds the
/// memory of a long read's path.
WS_HD inline std::int32_t path_band(std::int32_t query_length, std::int32_t genome_length, std::int32_t score,
                                    const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  const std::int32_t shorter = query_length < genome_length ? query_length : genome_length;
  const std::int32_t loss_allows = max_gap_for_loss(scoring, shorter * scoring.match - score);
  const std::int32_t gap = loss_allows < 2 * options.band ? loss_allows : 2 * options.band;
  const std::int32_t apart = query_length > genome_length ? query_length - genome_length : genome_length - query_length;
  return gap > apart ? gap : apart;
}

constexpr std::int32_t impossible_score = -0x40000000;

/// The score of row 0 or column 0: a gap of `length` from the corner.
WS_HD inline std::int32_t edge_score(std::int32_t length, std::int32_t open, std::int32_t extend) {
  return length == 0 ? 0 : -open - length * extend;
}

/// One cell: takes the incoming scores, replaces them by the outgoing ones, returns the step taken. As in the
/// extension, a gap opens from an aligned pair only, so no insertion is next to a deletion.
WS_HD inline std::uint8_t path_cell(std::int32_t aligned, std::int32_t& deletion, std::int32_t& insertion,
                                    const Scoring& scoring, std::int32_t& h) {
  std::uint8_t step = path_step::aligned;
  h = aligned;
  if (deletion > h) h = deletion, step = path_step::deletion;
  if (insertion > h) h = insertion, step = path_step::insertion;
  const std::int32_t open_deletion = aligned - scoring.deletion_open - scoring.deletion_extend;
  deletion -= scoring.deletion_extend;
  if (deletion > open_deletion) {
    step |= path_step::deletion_extends;
  } else {
    deletion = open_deletion;
  }
  const std::int32_t open_insertion = aligned - scoring.insertion_open - scoring.insertion_extend;
  insertion -= scoring.insertion_extend;
  if (insertion > open_insertion) {
    step |= path_step::insertion_extends;
  } else {
    insertion = open_insertion;
  }
  return step;
}

/// Fills the scratch's steps and returns the best score within the band. query, genome: indexable codes.
template <class Codes, class Row, class Steps>
WS_HD inline std::int32_t fill_path(const Codes& query, std::int32_t query_length, const Codes& genome,
                                    std::int32_t genome_length, std::int32_t band, const Scoring& scoring,
                                    const PathScratch<Row, Steps>& scratch) {
  const Row& row = scratch.row;
  for (std::int32_t j = 0; j <= query_length; ++j) {
    row[j].h = j <= band ? edge_score(j, scoring.insertion_open, scoring.insertion_extend) : impossible_score;
    row[j].e = impossible_score;
  }
  for (std::int32_t i = 1; i <= genome_length; ++i) {
    const std::int32_t begin = i - band > 1 ? i - band : 1;
    const std::int32_t end = i + band < query_length ? i + band : query_length;
    std::int32_t diagonal = begin == 1 ? row[0].h : row[begin - 1].h;
    std::int32_t insertion = impossible_score;
    if (begin == 1)
      row[0].h = i <= band ? edge_score(i, scoring.deletion_open, scoring.deletion_extend) : impossible_score;
    const std::uint8_t genome_code = genome[i - 1];
    const std::int64_t steps_of_row = static_cast<std::int64_t>(i - 1) * (2 * band + 1) + band - i;
    for (std::int32_t j = begin; j <= end; ++j) {
      const std::int32_t above = row[j].h;
      std::int32_t h = 0;
      const bool new_column = j == i + band;  // the cell above it is outside the band
      std::int32_t deletion = new_column ? impossible_score : row[j].e;
      scratch.steps[steps_of_row + j] =
          path_cell(diagonal + score_of(scoring, query[j - 1], genome_code), deletion, insertion, scoring, h);
      row[j] = {h, deletion};
      diagonal = above;
    }
  }
  return row[query_length].h;
}

/// Calls emit(op) for every step of the path from its end to its start; op as in BAM: 0 M, 1 I, 2 D.
template <class Steps, class Emit>
WS_HD inline void walk_path(const Steps& steps, std::int32_t query_length, std::int32_t genome_length,
                            std::int32_t band, Emit emit) {
  std::int32_t i = genome_length, j = query_length;
  const auto step_at = [&](std::int32_t row, std::int32_t column) {
    return steps[static_cast<std::int64_t>(row - 1) * (2 * band + 1) + (column - row + band)];
  };
  const auto best_step = [&] { return i > 0 && j > 0 ? step_at(i, j) & 3 : +path_step::aligned; };
  // The cell before a gap's stores whether the gap was already open there; if not, that cell is an aligned pair.
  for (int state = best_step(); i > 0 && j > 0;) {
    if (state == path_step::aligned) {
      emit(0), --i, --j;
      state = best_step();
    } else if (state == path_step::deletion) {
      emit(2), --i;
      if (i == 0 || !(step_at(i, j) & path_step::deletion_extends)) state = path_step::aligned;
    } else {
      emit(1), --j;
      if (j == 0 || !(step_at(i, j) & path_step::insertion_extends)) state = path_step::aligned;
    }
  }
  for (; i > 0; --i) emit(2);
  for (; j > 0; --j) emit(1);
}

}  // namespace warpseed::align
