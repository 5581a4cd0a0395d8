// What is decided about one row of the LCP array.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"

namespace warpseed::suffix {

/// A row after its first symbols have been compared.
template <class Pos>
struct LcpRow {
  /// The length is one less than that at the text position before, and follows from there.
  static constexpr Pos follows = static_cast<Pos>(~Pos{0});
  /// The length is Text::depth at least; a further comparison must tell.
  static constexpr Pos long_one = static_cast<Pos>(~Pos{0} - 1);
};

/// The length, if the heads of a suffix and of the one before it in the order tell; else LcpRow's word for it.
///
/// Where the symbols before both agree, the suffixes that begin with these are neighbours too, and share one more.
template <class Pos, class Text>
WS_HD inline Pos lcp_of_heads(const Text& text, const SuffixHead& previous, const SuffixHead& own) {
  const unsigned same = text.shared(previous, own);
  if (same < Text::depth) return static_cast<Pos>(same);
  const bool follows = own.before != SuffixHead::nothing && own.before == previous.before;
  return follows ? LcpRow<Pos>::follows : LcpRow<Pos>::long_one;
}

}  // namespace warpseed::suffix
