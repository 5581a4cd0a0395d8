// Ranks of the suffixes at the positions of a difference cover, by which any two suffixes can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "core/huge_pages.hpp"
#include "suffix/genome_keys.hpp"

namespace warpseed::suffix {

/// Ranks by slot of the cover; owns them. Slot: std::uint32_t for covers of at most narrow_limit slots.
template <class Slot>
using CoverRanks = std::vector<Slot, HugePageAllocator<Slot>>;

/// Sorts the suffixes in the cover: by their keys, then by prefix doubling those that are still tied. A step of one
/// period in the text is a step of cover.size slots.
///
/// Runs in the caller's task arena. Cost: O(n log n). Memory: 12 bytes a slot (24 if Slot has 64 bits).
template <class Text, class Slot>
CoverRanks<Slot> cover_ranks(const Text& text);

/// Order of suffixes with equal keys.
template <class Text, class Slot>
struct CoverOrder {
  const Text& text;
  const Slot* ranks;

  /// Address of the rank that decides about `a` in a comparison with `b`, none of which ends within its key.
  const Slot* rank(TextPos at, unsigned step) const { return ranks + Text::cover.slot(at + step); }

  bool less(TextPos a, TextPos b) const {
    const unsigned a_ahead = text.symbols_ahead(a), b_ahead = text.symbols_ahead(b);
    if (a_ahead != b_ahead) return a_ahead < b_ahead;  // with equal keys the rest of the longer one is all A
    if (a_ahead < Text::symbols) return a < b;         // both end here: the earlier separator is the smaller
    const unsigned step = Text::cover.step(a, b);
    return *rank(a, step) < *rank(b, step);
  }
};

}  // namespace warpseed::suffix
