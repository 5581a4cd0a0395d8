// The decision about one row of the LCP array.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"

namespace warpseed::suffix {

/// State of a row after the comparison of its first symbols.
template <class Pos>
struct LcpRow {
  /// The length is one less than that at the previous text position, and follows from it.
  static constexpr Pos follows = static_cast<Pos>(~Pos{0});
  /// The length is at least Text::depth; a further comparison is needed.
  static constexpr Pos long_one = static_cast<Pos>(~Pos{0} - 1);
};

/// Returns the length if the heads of a suffix and its predecessor in the suffix array decide it; else a constant of
/// LcpRow.
///
/// If the preceding symbols agree, the suffixes that begin with these are neighbours too, and share one more symbol.
template <class Pos, class Text>
WS_HD inline Pos lcp_of_heads(const Text& text, const SuffixHead& previous, const SuffixHead& own) {
  const unsigned same = text.shared(previous, own);
  if (same < Text::depth) return static_cast<Pos>(same);
  const bool follows = own.before != SuffixHead::nothing && own.before == previous.before;
  return follows ? LcpRow<Pos>::follows : LcpRow<Pos>::long_one;
}

}  // namespace warpseed::suffix
