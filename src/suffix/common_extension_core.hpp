// The longest common extension of two positions: first by comparing the text, then by ranks.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"
#include "suffix/rmq_core.hpp"

namespace warpseed::suffix {

/// Two text positions.
template <class Pos>
struct PositionPair {
  Pos first = 0;
  Pos second = 0;

  friend bool operator==(const PositionPair&, const PositionPair&) = default;
};

/// The data that answers queries; owns nothing.
template <class Pos>
struct ExtensionView {
  GenomeText text;
  View<text::Segment> segments;  // [segments + 1]
  const Pos* ranks = nullptr;    // [text.size] the rows of the suffixes
  RmqView<Pos> lcp;
};

constexpr unsigned direct_bases = 64;  // the second 32 are nearly always in the memory sector of the first

/// Number of equal bases from two different positions on, at most direct_bases.
WS_HD inline unsigned direct_extension(const GenomeText& text, TextPos a, TextPos b) {
  const unsigned same = text.share_far_step(a, b);
  return same < GenomeText::step ? same : same + text.share_step(a + same, b + same);
}

/// Bases from a position to its segment's end.
template <class Pos>
WS_HD inline std::uint64_t bases_to_end(const ExtensionView<Pos>& view, TextPos at) {
  const std::uint64_t segment =
      text::last_not_above(view.segments.size - 1, at, [&](std::uint64_t i) { return view.segments[i].text_begin; });
  return view.segments[segment + 1].text_begin - 1 - at;
}

/// The rows whose minimum LCP is the common prefix of the two suffixes; the ranks differ.
template <class Pos>
WS_HD inline IndexRange<Pos> rows_between(Pos rank, Pos other) {
  return rank < other ? IndexRange<Pos>{static_cast<Pos>(rank + 1), static_cast<Pos>(other + 1)}
                      : IndexRange<Pos>{static_cast<Pos>(other + 1), static_cast<Pos>(rank + 1)};
}

/// Number of equal bases from `pair.first` and `pair.second` on, up to a separator.
template <class Pos>
WS_HD inline Pos common_extension(const ExtensionView<Pos>& view, const PositionPair<Pos>& pair) {
  if (pair.first == pair.second) return static_cast<Pos>(bases_to_end(view, pair.first));
  const unsigned same = direct_extension(view.text, pair.first, pair.second);
  if (same < direct_bases) return static_cast<Pos>(same);
  const IndexRange<Pos> rows = rows_between(view.ranks[pair.first], view.ranks[pair.second]);
  return range_minimum(view.lcp, rows.begin, rows.end);
}

}  // namespace warpseed::suffix
