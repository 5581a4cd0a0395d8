// Verifies a row of a node of the search, shared by both backends.
#pragma once

#include <cstdint>

#include "approximate/pattern_batch.hpp"
#include "approximate/trie_core.hpp"
#include "approximate/verify_core.hpp"

namespace warpseed::approximate {

/// Calls found(end, differences) for the ends of all alignments of a leaf's pattern at text position `position`, which
/// is one of its rows, with at most `most` differences. text_begin, text_end: the segment of the position. In a forged index
/// the leaf's string may leave it; then there is none.
template <class Found>
WS_HD void verify_node(const text::PackedView& text, const StrandBatchView& batch, const Node<MismatchStates>& leaf,
                       TextPos position, TextPos text_begin, TextPos text_end, std::uint32_t most, const Found& found) {
  const PatternView pattern = batch.pattern(leaf.pattern);
  const std::uint32_t part_end = batch.parts[leaf.part].end;
  const TextPos anchor = position + leaf.length;
  if (anchor > text_end || anchor - text_begin < part_end || text_end - anchor < pattern.length - part_end) return;
  const TextPos start = anchor - part_end;
  const std::uint32_t mismatches = count_mismatches(text, pattern, batch.parts_of(leaf.pattern),
                                                    leaf.part - batch.patterns[leaf.pattern].first_part, start, most);
  if (mismatches <= most) found(start + pattern.length, mismatches);
}

/// The text bases that the automaton reads of a side of a pattern with so many bases, for align_side(): all of a short one.
/// Of a long one it reads a few, as it ends early where the text is like the pattern by chance; where the text is a copy of a
/// repeat, none.
WS_HD inline std::int32_t automaton_columns(std::uint32_t bases, bool is_copy) {
  constexpr std::uint32_t short_side = 32;
  constexpr std::int32_t few = 16, all = 2 * short_side;
  return bases <= short_side ? all : is_copy ? 0 : few;
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
  const std::uint32_t part = leaf.part - batch.patterns[leaf.pattern].first_part;
  const PatternView pattern = batch.pattern(leaf.pattern);
  const PartsView parts = batch.parts_of(leaf.pattern);
  const TextPos anchor = position + leaf.length;
  const std::uint32_t part_end = parts.parts[part].end;
  if (anchor > text_end || is_left_to_next_part(text, pattern, parts, part, anchor, text_end, most)) return;
  const bool is_copy = leaf.rows.count() > verified_rows(Metric::edits);
  const EditLeaf<K> of_row = {parts.parts[part],
                              {parts.parts + part + 1, parts.count - part - 1},
                              leaf.states.states,
                              leaf.length,
                              automaton_columns(part_end - pattern.exact_left, is_copy),
                              automaton_columns(pattern.right_end() - part_end, is_copy)};
  verify_edits(text, pattern, of_row, position, text_begin, text_end, most, found);
}

}  // namespace warpseed::approximate
