// Least edits between a pattern and the text next to a point, shared by both backends.
//
// Ukkonen, "Algorithms for approximate string matching", Information and Control 1985; Landau and Vishkin, "Fast parallel
// and serial approximate string matching", J. Algorithms 1989: on each diagonal of the edit distance matrix, the furthest
// cell within e edits follows from those within e - 1 edits and the run of matches after them. Runs are compared 32 bases
// at a time, so a side costs about (K + 1)^2 comparisons, for a pattern of any length. The automaton of
// edit_states_core.hpp comes first, as it ends sooner where a text is like the pattern by chance.
#pragma once

#include <cstdint>

#include "approximate/edit_states_core.hpp"
#include "approximate/pattern_core.hpp"
#include "core/bits.hpp"
#include "text/genome_core.hpp"
#include "text/window_before.hpp"

namespace warpseed::approximate {

/// A pattern and a text that are read from a point in one direction. A row is a number of bases of the pattern that have
/// been read, a column one of the text.
template <bool leftward>
struct EditSide {
  text::PackedView text;
  PatternView pattern;
  std::uint32_t position = 0;  // the point in the pattern
  TextPos anchor = 0;          // and in the text
  std::int32_t rows = 0;       // of the whole side
  std::int32_t columns = 0;    // of the text that may be read

  /// The side of a point up to the pattern's exact bases. text_limit: where the text ends on this side.
  WS_HD static EditSide of(const text::PackedView& text, const PatternView& pattern, std::uint32_t position,
                           TextPos anchor, TextPos text_limit, unsigned most_edits) {
    const std::uint32_t rows = leftward ? position - pattern.exact_left : pattern.right_end() - position;
    const std::uint64_t available = leftward ? anchor - text_limit : text_limit - anchor, wanted = rows + most_edits;
    const std::uint64_t columns = available < wanted ? available : wanted;
    return {text, pattern, position, anchor, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)};
  }

  WS_HD unsigned base(std::int32_t column) const { return text[moved(anchor, column) - leftward]; }

  /// The bases that match from a cell on.
  WS_HD std::int32_t run(std::int32_t row, std::int32_t column) const {
    const std::int32_t most = rows - row < columns - column ? rows - row : columns - column;
    for (std::int32_t count = 0; count < most;) {
      const std::uint64_t differ = differing(row + count, column + count);
      count += static_cast<std::int32_t>(leftward ? trailing_zeros(differ) : leading_zeros(differ)) / 2;
      if (count >= most || differ == 0) continue;
      if (pattern.single || !allowed(row + count, column + count)) return count;
      ++count;
    }
    return most;
  }

 private:
  /// Bit 62 - 2j where base j of the next 32 differs or is ambiguous; leftward, these end at the point.
  WS_HD std::uint64_t differing(std::int32_t row, std::int32_t column) const {
    const std::uint64_t at = PatternView::packed_begin + moved(position, row), text_at = moved(anchor, column);
    const auto window = [&](const text::PackedView& bases, std::uint64_t from) {
      return leftward ? window_before(bases, from) : bases.window(from);
    };
    const std::uint64_t other = window(pattern.packed(), at) ^ window(text, text_at);
    const std::uint64_t differ = (other | other >> 1) & 0x5555555555555555ULL;
    return pattern.single ? differ : differ | window(pattern.ambiguous(), at);
  }

  /// Can the next base of the pattern be that of the text?
  WS_HD bool allowed(std::int32_t row, std::int32_t column) const {
    return pattern.sets[moved(position, row) - leftward] >> base(column) & 1;
  }

  WS_HD static std::uint64_t moved(std::uint64_t from, std::int32_t by) {
    return leftward ? from - static_cast<std::uint64_t>(by) : from + static_cast<std::uint64_t>(by);
  }
};

/// What aligning a side is asked for.
/// least_row(edits): alignments whose row is less after so many edits, and before the next one, are of no interest.
/// reached(column, edits): is called for each column at which the whole side has been read, with the fewest edits of this
/// column; returns the most edits that are still of interest.
template <class LeastRow, class Reached>
struct SideRequest {
  std::int32_t most = 0;  // edits
  LeastRow least_row;
  Reached reached;
};
template <class LeastRow, class Reached>
SideRequest(std::int32_t, LeastRow, Reached) -> SideRequest<LeastRow, Reached>;  // clang 14 does not deduce it

/// Answers a request for the columns from `column` on, from the cells of text length `column` that `states` says are
/// reached.
template <unsigned K, bool leftward, class LeastRow, class Reached>
WS_HD void follow_diagonals(const EditSide<leftward>& side, const EditStates<K>& states, std::int32_t column,
                            const SideRequest<LeastRow, Reached>& request) {
  constexpr std::int32_t middle = K + 1, none = -2;  // of diagonals; a row of a cell that is not reached
  constexpr std::uint32_t all = EditStates<K>::all << 1;
  std::int32_t furthest[2 * K + 3];  // rows by diagonal, which is row - column + middle
  for (std::int32_t& row : furthest) row = none;
  std::uint32_t reached = 0;  // bits of diagonals
  for (std::int32_t edits = 0, most = request.most; edits <= most; ++edits) {
    const std::uint32_t start = states.within[edits] << 1;
    std::uint32_t next = (reached | reached << 1 | reached >> 1 | start) & all;
    reached = 0;
    if (next == 0) continue;
    const std::int32_t least = request.least_row(edits);
    std::int32_t below = none;  // of the diagonal before, with one edit less
    for (std::int32_t last = 0; next != 0; next &= next - 1) {
      const auto diagonal = static_cast<std::int32_t>(trailing_zeros(next)), shift = diagonal - middle;
      const std::int32_t before = furthest[diagonal], above = furthest[diagonal + 1];
      if (last + 1 != diagonal) below = none;
      std::int32_t row = above;                   // a base of the text only
      row = row < before + 1 ? before + 1 : row;  // a mismatch
      row = row < below + 1 ? below + 1 : row;    // a base of the pattern only
      row = row < side.rows ? row : side.rows;    // a cell next to one within e - 1 edits is within e edits
      row = row < side.columns + shift ? row : side.columns + shift;
      if ((start >> diagonal & 1) != 0 && row < column + shift) row = column + shift;
      below = before, last = diagonal;
      furthest[diagonal] = none;
      if (row < 0 || row < shift) continue;
      row += side.run(row, row - shift);
      if (row < least) continue;
      furthest[diagonal] = row;
      reached |= std::uint32_t{1} << diagonal;
      if (row == side.rows && before < row && row - shift >= column) most = request.reached(row - shift, edits);
    }
  }
}

/// Answers a request from a state of the automaton on, after `column` text bases. The automaton reads the text up to
/// `automaton_columns`.
template <unsigned K, bool leftward, class LeastRow, class Reached>
WS_HD void align_side(const EditSide<leftward>& side, const EditWalk<K>& walk, EditStates<K> states,
                      std::int32_t column, std::int32_t automaton_columns, SideRequest<LeastRow, Reached> request) {
  for (; column < automaton_columns && column < side.columns && states.alive(); ++column) {
    const auto edits = static_cast<std::int32_t>(states.edits_of(walk.reading.length, column));
    if (edits <= request.most) request.most = request.reached(column, edits);
    states = walk.next(states, column, side.base(column));
  }
  if (states.alive()) follow_diagonals(side, states, column, request);
}

}  // namespace warpseed::approximate
