// Conditions for each row of a suffix array.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::suffix {

/// Whether a row of the array is right, given that all rows are checked: the row is the rank of its suffix, which makes
/// the array a permutation, and its suffix is smaller than the next row's, by the first symbols and the ranks of what
/// follows.
///
/// Source: Burkhardt and Kaerkkaeinen, "Fast lightweight suffix array construction and checking", CPM 2003.
/// text:   has size, symbol(position) and is_separator(position).
/// ranks:  [text.size]; ranks[suffixes[row]] = row was set for every row with suffixes[row] < text.size.
template <class Text, class Pos>
WS_HD inline bool row_is_right(const Text& text, const Pos* suffixes, const Pos* ranks, std::uint64_t row) {
  const std::uint64_t here = suffixes[row];
  if (here >= text.size || ranks[here] != row) return false;
  if (row + 1 == text.size) return true;
  const std::uint64_t next = suffixes[row + 1];
  if (next >= text.size) return false;
  const bool here_ends = text.is_separator(here), next_ends = text.is_separator(next);
  if (here_ends || next_ends) return here_ends && (!next_ends || here < next);
  const auto symbol = text.symbol(here), next_symbol = text.symbol(next);
  if (symbol != next_symbol) return symbol < next_symbol;
  return ranks[here + 1] < ranks[next + 1];
}

}  // namespace warpseed::suffix
