// Gaps of two-piece affine cost: the recurrence of their dynamic programming, and the walk back along its best path.
//
// A gap of length g costs min(open + g * extend, long_open + g * long_extend), so that long gaps are cheap. With H the
// best score of a path that ends with query base j and genome base i, the cells hold differences between neighbours,
// which fit 8 bits for sequences of any length:
//
//   u(i,j) = H(i,j) - H(i-1,j)                  v(i,j) = H(i,j) - H(i,j-1)
//   x(i,j) = D(i+1,j) - H(i,j), x2 likewise     D, D2: paths that end in a deletion, by the first and second piece
//   y(i,j) = I(i,j+1) - H(i,j), y2 likewise     I, I2: paths that end in an insertion
//
// Suzuki and Kasahara, "Introducing difference recurrence relations for faster semi-global alignment of long
// sequences", BMC Bioinformatics 2018; Li, "Minimap2", Bioinformatics 2018, for two pieces.
#pragma once

#include <cstdint>

#include "core/bits.hpp"
#include "core/host_device.hpp"
#include "warpseed/align_options.hpp"

namespace warpseed::align {

/// The cost of a gap.
WS_HD inline std::int32_t gap_cost(const LongScoring& scoring, std::int32_t length) {
  if (length == 0) return 0;
  const std::int32_t near = scoring.gap_open + length * scoring.gap_extend;
  const std::int32_t far = scoring.long_gap_open + length * scoring.long_gap_extend;
  return near < far ? near : far;
}

/// A gap's cost in the score of a whole path: less than in the DP for a long one, by the logarithm of its length.
WS_HD inline std::int32_t path_gap_cost(const LongScoring& scoring, std::uint32_t length) {
  const std::int32_t whole = gap_cost(scoring, static_cast<std::int32_t>(length));
  const auto logarithm = static_cast<std::int32_t>(64 - leading_zeros(std::uint64_t{length} + 1));
  const std::int32_t capped = scoring.long_gap_open + logarithm * scoring.gap_extend;
  return whole < capped ? whole : capped;
}

/// The score of two aligned bases, as codes. An N on either side costs 1.
WS_HD inline std::int32_t score_of(const LongScoring& scoring, std::uint8_t a, std::uint8_t b) {
  if (a > 3 || b > 3) return -1;
  return a == b ? scoring.match : -scoring.mismatch;
}

/// The diagonals, genome less query position, that a path may use: two at least, so that every anti-diagonal has a
/// cell. All other cells are unreachable.
struct DiagonalBand {
  std::int32_t lowest = 0, highest = 0;

  /// Both corners of a global path and `spare` diagonals, at least one, on either side.
  WS_HD static DiagonalBand around(std::int32_t query_length, std::int32_t genome_length, std::int32_t spare) {
    const std::int32_t last = genome_length - query_length;
    return {(last < 0 ? last : 0) - spare, (last > 0 ? last : 0) + spare};
  }
};

/// A band around pieces of at most this length has all their diagonals.
constexpr std::int32_t short_piece = 64;

/// The cells of an anti-diagonal: genome bases [begin, end), query base number - i each.
struct AntiDiagonal {
  std::int32_t begin = 0, end = 0;

  WS_HD static AntiDiagonal at(std::int32_t number, std::int32_t query_length, std::int32_t genome_length,
                               const DiagonalBand& band) {
    const auto half = [](std::int32_t value) { return value >> 1; };  // rounds down
    AntiDiagonal cells = {half(number + band.lowest + 1), half(number + band.highest) + 1};
    if (cells.begin < 0) cells.begin = 0;
    if (cells.begin < number - query_length + 1) cells.begin = number - query_length + 1;
    if (cells.end > number + 1) cells.end = number + 1;
    if (cells.end > genome_length) cells.end = genome_length;
    return cells;
  }
};

/// How the best path reaches a cell: in the low three bits, from which state. Bit state + 2 is set if the gap of that
/// state that leaves the cell was open before it. Equal scores take the first of these.
namespace two_piece_step {
constexpr std::uint8_t aligned = 0, deletion = 1, insertion = 2, long_deletion = 3, long_insertion = 4, states = 7;
}  // namespace two_piece_step

/// Before a cell is computed, v, x and x2 of the genome base before and u, y and y2 of the query base before; then its
/// own. All values fit 8 bits.
struct TwoPieceCell {
  std::int32_t u = 0, v = 0, x = 0, y = 0, x2 = 0, y2 = 0;
};

/// What x, y, x2 and y2 are outside the band: less than any gap; twice it still fits 8 bits.
constexpr std::int32_t unreachable_gap = -64;

/// The recurrence of a cell whose bases score `aligned`. Returns how its best path reaches it, as two_piece_step.
WS_HD inline std::uint8_t compute_two_piece_cell(const LongScoring& scoring, std::int32_t aligned, TwoPieceCell& cell) {
  const std::int32_t gaps[] = {cell.x + cell.v, cell.y + cell.u, cell.x2 + cell.v, cell.y2 + cell.u};
  std::int32_t best = aligned, step = two_piece_step::aligned;
  for (std::int32_t state = 1; state <= 4; ++state) {
    if (gaps[state - 1] > best) best = gaps[state - 1], step = state;
  }
  const std::int32_t before = cell.u;
  cell.u = best - cell.v, cell.v = best - before;
  const auto leave = [&](std::int32_t state, std::int32_t open, std::int32_t extend) {
    const std::int32_t relative = gaps[state - 1] - best;
    if (relative > -open) step |= 1 << (state + 2);
    return (relative > -open ? relative : -open) - extend;
  };
  cell.x = leave(two_piece_step::deletion, scoring.gap_open, scoring.gap_extend);
  cell.y = leave(two_piece_step::insertion, scoring.gap_open, scoring.gap_extend);
  cell.x2 = leave(two_piece_step::long_deletion, scoring.long_gap_open, scoring.long_gap_extend);
  cell.y2 = leave(two_piece_step::long_insertion, scoring.long_gap_open, scoring.long_gap_extend);
  return static_cast<std::uint8_t>(step);
}

/// Sets what cell (i, j) reads from outside the matrix or the band.
WS_HD inline void set_two_piece_borders(const LongScoring& scoring, const DiagonalBand& band, std::int32_t i,
                                        std::int32_t j, TwoPieceCell& cell) {
  const std::int32_t new_gap = -scoring.gap_open - scoring.gap_extend;
  const std::int32_t new_long_gap = -scoring.long_gap_open - scoring.long_gap_extend;
  if (i == 0) {
    cell.v = gap_cost(scoring, j) - gap_cost(scoring, j + 1);
    cell.x = new_gap, cell.x2 = new_long_gap;
  } else if (i - j == band.lowest) {
    cell.v = new_gap, cell.x = cell.x2 = unreachable_gap;
  }
  if (j == 0) {
    cell.u = gap_cost(scoring, i) - gap_cost(scoring, i + 1);
    cell.y = new_gap, cell.y2 = new_long_gap;
  } else if (i - j == band.highest) {
    cell.u = new_gap, cell.y = cell.y2 = unreachable_gap;
  }
}

/// Calls emit(op, 1) for every step of a path from cell (genome base i, query base j) back to the corner, and
/// emit(op, length) for a gap at the corner; op as in BAM: 0 M, 1 I, 2 D. step_at(i, j): as two_piece_step.
template <class StepAt, class Emit>
WS_HD inline void walk_two_piece_path(std::int32_t i, std::int32_t j, StepAt step_at, Emit emit) {
  int state = two_piece_step::aligned;
  while (i >= 0 && j >= 0) {
    const std::uint8_t step = step_at(i, j);
    const bool goes_on = state != two_piece_step::aligned && (step >> (state + 2) & 1) != 0;
    if (!goes_on) state = step & two_piece_step::states;
    if (state == two_piece_step::aligned) {
      emit(0, 1), --i, --j;
    } else if (state == two_piece_step::deletion || state == two_piece_step::long_deletion) {
      emit(2, 1), --i;
    } else {
      emit(1, 1), --j;
    }
  }
  if (i >= 0) emit(2, i + 1);
  if (j >= 0) emit(1, j + 1);
}

}  // namespace warpseed::align
