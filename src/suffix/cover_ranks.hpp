// Ranks of the suffixes at the positions of a difference cover, by which any two suffixes can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "core/huge_pages.hpp"
#include "suffix/genome_keys.hpp"
#include "suffix/key_word.hpp"

namespace warpseed::suffix {

/// Ranks by slot of the cover; owns them. Slot: std::uint32_t for covers of at most narrow_limit slots.
template <class Slot>
using CoverRanks = HugePageVector<Slot>;

/// Sorts the suffixes in the cover: by their keys, then by prefix doubling those that are still tied. A step of one
/// period in the text is a step of cover.size slots.
///
/// words: [slots] of memory to work in. Runs in the caller's task arena. Cost: O(n log n).
template <class Text, class Slot>
CoverRanks<Slot> cover_ranks(const Text& text, typename SlotWords<Slot>::Word* words);

}  // namespace warpseed::suffix
