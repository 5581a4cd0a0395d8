// Difference covers: small residue sets; for any two text positions one step takes both into the set.
#pragma once

#include <cstdint>

#include "core/types.hpp"

namespace warpseed::suffix {

/// A set of residues modulo `period` whose pairwise differences give all residues.
///
/// For any two text positions a step below `period` exists that takes both to positions with residues in the set. If
/// the order of the suffixes there is known, the order of the two follows from the symbols in between.
/// Source: Burkhardt and Kaerkkaeinen, "Fast lightweight suffix array construction and checking", CPM 2003. The sets
///         are the perfect difference sets of Singer, "A theorem in finite projective geometry", 1938: every difference
///         except 0 occurs once.
struct DifferenceCover {
  static constexpr unsigned max_period = 31, max_members = 6;

  std::uint8_t period = 1;
  std::uint8_t size = 1;                       // residues in the set
  std::uint8_t members[max_members] = {};      // [size] ascending
  std::uint8_t number_of[max_period] = {};     // residue -> its index among the members; size: not a member
  std::uint8_t number_from[max_period] = {};   // residue -> how many members are smaller
  std::uint8_t member_after[max_period] = {};  // difference d -> a member m; (m + d) % period is a member, too

  /// The slot of a position in the cover; slots are consecutive.
  WS_HD std::uint64_t slot(TextPos position) const { return position / period * size + number_of[position % period]; }
  /// The slot of the first position from this one on that is in the cover.
  WS_HD std::uint64_t slot_from(TextPos position) const {
    return position / period * size + number_from[position % period];
  }
  WS_HD TextPos position(std::uint64_t slot) const { return slot / size * period + members[slot % size]; }
  WS_HD constexpr bool has(TextPos position) const { return number_of[position % period] < size; }

  /// Slots of a text of `symbols` symbols.
  WS_HD std::uint64_t slots(std::uint64_t symbols) const {
    std::uint64_t count = symbols / period * size;
    for (unsigned i = 0; i < size; ++i) count += members[i] < symbols % period;
    return count;
  }

  /// A step below `period` that takes both positions into the cover.
  WS_HD constexpr unsigned step(TextPos a, TextPos b) const {
    const unsigned ra = static_cast<unsigned>(a % period), rb = static_cast<unsigned>(b % period);
    const unsigned member = member_after[rb >= ra ? rb - ra : rb + period - ra];
    return member >= ra ? member - ra : member + period - ra;
  }
};

/// The cover of the longest period among 3, 7, 13, 21 and 31 that is at most `longest`; longest >= 3.
constexpr DifferenceCover difference_cover(unsigned longest) {
  constexpr std::uint8_t sets[][DifferenceCover::max_members + 2] = {
      {31, 6, 1, 5, 11, 24, 25, 27}, {21, 5, 3, 6, 7, 12, 14}, {13, 4, 0, 1, 3, 9}, {7, 3, 1, 2, 4}, {3, 2, 1, 2}};
  DifferenceCover cover;
  for (const auto& set : sets) {
    if (set[0] > longest) continue;
    cover.period = set[0], cover.size = set[1];
    for (unsigned i = 0; i < cover.period; ++i) {
      cover.number_of[i] = cover.size;
      while (cover.number_from[i] < cover.size && set[2 + cover.number_from[i]] < i) ++cover.number_from[i];
    }
    for (unsigned i = 0; i < cover.size; ++i) {
      cover.members[i] = set[2 + i];
      cover.number_of[set[2 + i]] = static_cast<std::uint8_t>(i);
    }
    for (unsigned i = 0; i < cover.size; ++i) {
      for (unsigned j = 0; j < cover.size; ++j) {
        const unsigned difference = (cover.members[j] + cover.period - cover.members[i]) % cover.period;
        cover.member_after[difference] = cover.members[i];
      }
    }
    break;
  }
  return cover;
}

}  // namespace warpseed::suffix
