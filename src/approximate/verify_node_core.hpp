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

/// Does the search of the part to the right verify the same alignments, or others that are as good? It does where that part
/// follows without edits: of the best alignments of an end beyond it, one goes through it without edits. All ends are
/// beyond it if at least `most` bases of the pattern follow.
WS_HD inline bool is_left_to_next_part(const text::PackedView& text, const PatternView& pattern, const PartsView& parts,
                                       std::uint32_t part, TextPos anchor, TextPos text_end, std::uint32_t most) {
  if (part + 1 >= parts.count) return false;
  const Part& next = parts.parts[part + 1];
  return pattern.right_end() - next.end >= most && occurs(text, pattern, next.begin, next.length(), anchor, text_end);
}

template <unsigned K, class Found>
WS_HD void verify_node(const text::PackedView& text, const StrandBatchView& batch, const Node<EditNodeStates<K>>& leaf,
                       TextPos position, TextPos text_begin, TextPos text_end, std::uint32_t most, const Found& found) {
  const std::uint32_t number = batch.pattern_of[leaf.task], part = leaf.task - batch.patterns[number].first_part;
  const PatternView pattern = batch.pattern(number);
  const PartsView parts = batch.parts_of(number);
  const TextPos anchor = position + leaf.length;
  if (is_left_to_next_part(text, pattern, parts, part, anchor, text_end, most)) return;
  // The automaton ends early where the text is like the pattern by chance; copies of a repeat it would only delay.
  const std::int32_t automaton_columns = leaf.rows.count() <= verified_rows(Metric::edits) ? 16 : 0;
  const EditLeaf<K> of_row = {parts.parts[part],
                              {parts.parts + part + 1, parts.count - part - 1},
                              leaf.states.states,
                              leaf.length,
                              automaton_columns};
  verify_edits(text, pattern, of_row, position, text_begin, text_end, most, found);
}

}  // namespace warpseed::approximate
