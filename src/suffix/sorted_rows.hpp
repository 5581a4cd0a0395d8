// Rows of a suffix array as they come from the sorter in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/types.hpp"
#include "suffix/key_word.hpp"

namespace warpseed::suffix {

/// Consecutive rows of the suffix array; owns nothing.
template <class Pos>
struct SortedRows {
  using Layout = SuffixWords<Pos>;

  Row first = 0;
  std::span<const typename Layout::Word> words;  // row first + i, whose key is no longer of use

  std::uint64_t count() const { return words.size(); }
  Pos position(std::uint64_t i) const { return Layout::position(words[i]); }
  /// Code of the base upstream of the suffix, or 0 if a segment begins with it.
  unsigned upstream(std::uint64_t i) const { return Layout::upstream(words[i]); }
};

/// Takes rows; called by several threads at once, with each row once, in any order.
template <class Pos>
using RowsSink = std::function<void(const SortedRows<Pos>&)>;

}  // namespace warpseed::suffix
