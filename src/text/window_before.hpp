// Packed bases that end at a position, as PackedView::window() are those that begin there.
#pragma once

#include "text/genome_core.hpp"

namespace warpseed::text {

/// The 32 symbols before `end`, the last one in the lowest bits; 1 <= end <= size. What would be before the first symbol
/// is 0.
WS_HD inline std::uint64_t window_before(const PackedView& text, TextPos end) {
  return end >= 32 ? text.window(end - 32) : text.words[0] >> (64 - 2 * end);
}

}  // namespace warpseed::text
