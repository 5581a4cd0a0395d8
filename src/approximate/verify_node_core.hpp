// Verifies a row of a node of the search, shared by both backends.
#pragma once

#include <cstdint>

#include "approximate/pattern_batch.hpp"
#include "approximate/trie_core.hpp"
#include "approximate/verify_core.hpp"

namespace warpseed::approximate {

/// Calls found(end, differences) for the ends of all alignments of a leaf's pattern at text position `position`, which
/// is one of its rows, with at most `most` differences. text_begin, text_end: the segment of the position.
template <class Found>
WS_HD void verify_node(const text::PackedView& text, const StrandBatchView& batch, const Node<MismatchStates>& leaf,
                       TextPos position, TextPos text_begin, TextPos text_end, std::uint32_t most, const Found& found) {
  const std::uint32_t number = batch.pattern_of[leaf.task];
  const PatternView pattern = batch.pattern(number);
  const std::uint32_t part_end = batch.parts[leaf.task].end;
  const TextPos anchor = position + leaf.length;
  if (anchor - text_begin < part_end || text_end - anchor < pattern.length - part_end) return;
  const TextPos start = anchor - part_end;
  const std::uint32_t mismatches = count_mismatches(text, pattern, batch.parts_of(number),
                                                    leaf.task - batch.patterns[number].first_part, start, most);
  if (mismatches <= most) found(start + pattern.length, mismatches);
}

template <unsigned K, class Found>
WS_HD void verify_node(const text::PackedView& text, const StrandBatchView& batch, const Node<EditNodeStates<K>>& leaf,
                       TextPos position, TextPos text_begin, TextPos text_end, std::uint32_t most, const Found& found) {
  verify_edits<K>(text, batch.pattern(batch.pattern_of[leaf.task]), batch.parts[leaf.task], leaf.states.states,
                  leaf.length, position, text_begin, text_end, most, found);
}

}  // namespace warpseed::approximate
