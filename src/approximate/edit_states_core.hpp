// Edit distances of a text to the prefixes of a pattern, one text base at a time, shared by both backends.
//
// Wu and Manber, "Fast text searching allowing errors", CACM 1992: a bit for each state of the automaton that counts
// edits. Only the 2 K + 1 diagonals that K edits can reach are kept, so a row of the automaton is one word for a
// pattern of any length.
#pragma once

#include <cstdint>

#include "approximate/pattern_core.hpp"

namespace warpseed::approximate {

/// What an alignment that reads a pattern in one direction may take: at most `budget` edits of the first `part_length`
/// bases, at most `total` of all.
struct EditBudget {
  std::int32_t part_length = 0;
  std::uint32_t budget = 0, total = 0;

  WS_HD static EditBudget of(const Part& part) {
    return {static_cast<std::int32_t>(part.length()), part.budget, part.left_budget};
  }
  WS_HD static EditBudget of_all(std::uint32_t edits) { return {0, edits, edits}; }
};

/// The cells of the edit distance matrix that may be reached with some text length.
struct EditCells {
  std::uint32_t inside = 0;     // bit d: is the cell on diagonal d within the pattern?
  std::uint32_t past_part = 0;  // bit d: is it past the first part_length bases?
};

/// The cells of the edit distance matrix after `length` text bases. The cell on diagonal d is that of the pattern's
/// prefix of length + d - K bases.
template <unsigned K>
struct EditStates {
  static constexpr std::int32_t reach = K;
  static constexpr std::uint32_t all = (std::uint32_t{1} << (2 * K + 1)) - 1;
  static constexpr std::uint32_t none = K + 1;  // edits of a cell that is not reached

  std::uint32_t within[K + 1];  // bit d of within[e]: the cell on diagonal d is reached with e edits

  /// Bits of the diagonals whose cell after `length` text bases is of a prefix of [least, most] bases.
  WS_HD static std::uint32_t cells(std::int32_t length, std::int32_t least, std::int32_t most) {
    const std::int32_t first = least - length + reach, last = most - length + reach;
    if (first <= 0 && last >= 2 * reach) return all;
    if (last < 0 || first > 2 * reach || last < first) return 0;
    const std::uint32_t from = first <= 0 ? all : all << first;
    return last >= 2 * reach ? from & all : from & ((std::uint32_t{2} << last) - 1);
  }

  WS_HD static EditCells cells_of(const Reading& reading, const EditBudget& budget, std::int32_t length) {
    const auto whole = static_cast<std::int32_t>(reading.length);
    return {cells(length, 0, whole), cells(length, budget.part_length + 1, whole)};
  }

  /// Bits of the diagonals on which the pattern's next base after `length` text bases can be `base`.
  WS_HD static std::uint32_t matches(const Reading& reading, std::int32_t length, unsigned base) {
    return reading.bits(base, length - reach) & cells(length, 0, static_cast<std::int32_t>(reading.length) - 1);
  }

  /// Nothing read, without edits.
  WS_HD static EditStates origin() {
    EditStates states = {};
    states.within[0] = std::uint32_t{1} << K;
    return states;
  }

  /// The states before the first text base.
  WS_HD static EditStates start(const Reading& reading, const EditBudget& budget) {
    const EditCells cells = cells_of(reading, budget, 0);
    EditStates states;
    std::uint32_t reached = std::uint32_t{1} << K;
    for (unsigned e = 0; e <= K; ++e) {
      states.within[e] = reached & allowed(cells, budget, e);
      reached = states.within[e] << 1;
    }
    return states;
  }

  /// The states after one more text base. `cells`: of the new length; `matches`: of the text base.
  WS_HD EditStates next(const EditCells& cells, const EditBudget& budget, std::uint32_t matches) const {
    EditStates states;
    std::uint32_t before = 0, reached = 0;  // within[e - 1] before and after this base
    for (unsigned e = 0; e <= K; ++e) {
      const std::uint32_t moved = (within[e] & matches)   // match
                                  | before | before >> 1  // mismatch, base of the text only
                                  | reached << 1;         // base of the pattern only
      before = within[e];
      reached = moved & allowed(cells, budget, e);
      states.within[e] = reached;
    }
    return states;
  }

  WS_HD bool alive() const {
    std::uint32_t any = 0;
    for (unsigned e = 0; e <= K; ++e) any |= within[e];
    return any != 0;
  }

  /// The edits of the whole pattern, or `none`.
  WS_HD std::uint32_t edits_of(std::uint32_t pattern_length, std::int32_t length) const {
    const std::int32_t diagonal = static_cast<std::int32_t>(pattern_length) - length + reach;
    if (diagonal < 0 || diagonal > 2 * reach) return none;
    for (unsigned e = 0; e <= K; ++e) {
      if (within[e] >> diagonal & 1) return e;
    }
    return none;
  }

 private:
  /// The cells that `edits` edits may reach.
  WS_HD static std::uint32_t allowed(const EditCells& cells, const EditBudget& budget, std::uint32_t edits) {
    return edits > budget.total ? 0 : edits <= budget.budget ? cells.inside : cells.past_part;
  }
};

/// The automaton of a pattern's bases in one direction.
template <unsigned K>
struct EditWalk {
  using States = EditStates<K>;

  Reading reading;
  EditBudget budget;

  WS_HD States start() const { return States::start(reading, budget); }
  WS_HD States next(const States& states, std::int32_t length, unsigned base) const {
    return states.next(States::cells_of(reading, budget, length + 1), budget, States::matches(reading, length, base));
  }
};

}  // namespace warpseed::approximate
