// The packed text with its separators in a bitmap, so that a comparison of two suffixes sees where each ends.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bits.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// What is read of such a text; owns nothing.
struct MarkedTextView {
  PackedView text;
  const std::uint32_t* separators = nullptr;  // [size/32 + 2] bit i%32 of word i/32: a separator stands at i

  /// Bit d: a separator stands at position + d.
  WS_HD std::uint32_t separators_from(TextPos position) const {
    const std::uint32_t* word = separators + position / 32;
    const std::uint64_t both = std::uint64_t{word[1]} << 32 | word[0];
    return static_cast<std::uint32_t>(both >> (position % 32));
  }

  WS_HD bool is_separator(TextPos position) const { return separators[position / 32] >> (position % 32) & 1; }
};

/// The base before a position, or 4 at the beginning of a segment.
WS_HD inline unsigned base_before(const MarkedTextView& text, TextPos position) {
  if (position == 0 || text.is_separator(position - 1)) return 4;
  return text.text[position - 1];
}

/// Bases that the suffixes at `a` and `b` share before either meets a separator: exact up to `enough`, and if there
/// are more, at least `enough`. 32 bases a step.
WS_HD inline std::uint64_t shared_bases(const MarkedTextView& text, TextPos a, TextPos b, std::uint64_t enough) {
  std::uint64_t shared = 0;
  while (shared < enough) {
    const unsigned equal = leading_zeros(text.text.window(a + shared) ^ text.text.window(b + shared)) / 2;
    const unsigned ended = trailing_zeros(text.separators_from(a + shared) | text.separators_from(b + shared));
    const unsigned step = equal < ended ? equal : ended;
    shared += step;
    if (step < 32) return shared;
  }
  return shared;
}

/// A genome's text with its bitmap: 1/8 of a byte a base beside the text.
class MarkedText {
 public:
  explicit MarkedText(const GenomeView& genome) : text_(genome.text), separators_(genome.text.size / 32 + 2, 0) {
    for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
      const TextPos at = genome.separator_of(i);
      separators_[at / 32] |= std::uint32_t{1} << (at % 32);
    }
  }
  MarkedTextView view() const { return {text_, separators_.data()}; }

 private:
  PackedView text_;
  std::vector<std::uint32_t> separators_;
};

}  // namespace warpseed
