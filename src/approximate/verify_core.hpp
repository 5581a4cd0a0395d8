// Verifies in the text what the index search proposes, shared by both backends.
//
// A candidate is a part of a pattern and the text position where the part ends. All alignments that pass through that
// point with the differences that the part allows are found here.
#pragma once

#include <cstdint>

#include "approximate/furthest_core.hpp"
#include "approximate/pattern_core.hpp"
#include "core/bits.hpp"
#include "text/genome_core.hpp"

namespace warpseed::approximate {

/// The parts of a pattern's search, by position in the pattern; owns nothing.
struct PartsView {
  const Part* parts = nullptr;
  std::uint32_t count = 0;
};

constexpr std::uint32_t max_parts = 9;  // max_differences + 1

/// Differences of each part of a pattern.
struct PartCounts {
  std::uint8_t counts[max_parts] = {};

  /// Adds a mismatch at pattern position `at`.
  WS_HD void add(const PartsView& parts, std::uint32_t at) {
    std::uint32_t part = 0;
    while (part + 1 < parts.count && at >= parts.parts[part].end) ++part;
    ++counts[part];
  }

  /// The last part within its budget: the one whose search is to report an occurrence. parts.count if there is none.
  WS_HD std::uint32_t reporting_part(const PartsView& parts) const {
    for (std::uint32_t part = parts.count; part-- > 0;) {
      if (counts[part] <= parts.parts[part].budget) return part;
    }
    return parts.count;
  }
};

/// Bits 62 - 2j where base j of a packed word is not among those that the masks allow.
WS_HD inline std::uint64_t mismatches_of(const std::uint64_t* masks, std::uint64_t bases) {
  constexpr std::uint64_t low_bits = 0x5555555555555555ULL;
  const std::uint64_t low = bases & low_bits, high = bases >> 1 & low_bits;
  const std::uint64_t not_low = low ^ low_bits, not_high = high ^ low_bits;
  const std::uint64_t matches = (masks[0] & not_high & not_low) | (masks[1] & not_high & low) |
                                (masks[2] & high & not_low) | (masks[3] & high & low);
  return matches ^ low_bits;
}

/// The mismatches of a pattern at text position `start`, if they are at most `most`, where mismatches are allowed, and
/// if it is for part `part` to report them; else most + 1. The pattern's bases must be within the text.
WS_HD inline std::uint32_t count_mismatches(const text::PackedView& text, const PatternView& pattern,
                                            const PartsView& parts, std::uint32_t part, TextPos start,
                                            std::uint32_t most) {
  PartCounts by_part;
  std::uint32_t total = 0;
  for (std::uint32_t word = 0; 32 * word < pattern.length; ++word) {
    std::uint64_t differ = mismatches_of(pattern.masks(word), text.window(start + 32 * word));
    const std::uint32_t rest = pattern.length - 32 * word;
    if (rest < 32) differ &= ~(~std::uint64_t{0} >> 2 * rest);
    total += count_ones(differ);
    if (total > most || (differ & pattern.exact_bits(word)) != 0) return most + 1;
    for (; differ != 0; differ &= ~(std::uint64_t{1} << (63 - leading_zeros(differ)))) {
      by_part.add(parts, 32 * word + leading_zeros(differ) / 2);
    }
  }
  return by_part.reporting_part(parts) == part ? total : most + 1;
}

/// Does the stretch of the pattern from `position` on occur at `anchor` without edits?
WS_HD inline bool occurs(const text::PackedView& text, const PatternView& pattern, std::uint32_t position,
                         std::uint32_t length, TextPos anchor, TextPos text_end) {
  const auto bases = static_cast<std::int32_t>(length);
  return text_end - anchor >= length &&
         EditSide<false>{text, pattern, position, anchor, bases, bases}.run(0, 0) == bases;
}

/// Are the pattern's exact bases at its end where they must be if the bases before them end at `at`? And those at its begin,
/// if the bases after them begin there?
WS_HD inline bool exact_end_follows(const text::PackedView& text, const PatternView& pattern, TextPos at,
                                    TextPos text_end) {
  return pattern.exact_right == 0 || occurs(text, pattern, pattern.right_end(), pattern.exact_right, at, text_end);
}
WS_HD inline bool exact_begin_precedes(const text::PackedView& text, const PatternView& pattern, TextPos at,
                                       TextPos text_begin) {
  return pattern.exact_left == 0 || (at - text_begin >= pattern.exact_left &&
                                     occurs(text, pattern, 0, pattern.exact_left, at - pattern.exact_left, at));
}

/// The least position that an alignment has come to with `left` edits to go: each part that begins beyond it is to have more
/// differences than its budget, as else its own search finds the alignment. parts: those to the right of the verified one.
WS_HD inline std::uint32_t least_position(const PartsView& parts, std::uint32_t left) {
  std::uint32_t needed = 0;
  for (std::uint32_t part = parts.count; part-- > 0;) {
    needed += parts.parts[part].budget + 1;
    if (needed > left) return parts.parts[part].begin;
  }
  return 0;
}

/// What a row's verification needs of its node.
template <unsigned K>
struct EditLeaf {
  const Part& part;
  PartsView to_the_right;  // of the pattern's parts
  const EditStates<K>& states;
  std::uint32_t length = 0;                              // of the string
  std::int32_t left_automaton = 0, right_automaton = 0;  // automaton_columns of align_side()
};

/// Calls found(end, edits) for the ends of alignments through the end of a leaf's string at `position`, each with at most
/// `most` <= K edits: all that no part to the right is to find. The pattern's exact ends have no edits within.
/// text_begin, text_end: the segment of the string.
template <unsigned K, class Found>
WS_HD void verify_edits(const text::PackedView& text, const PatternView& pattern, const EditLeaf<K>& leaf,
                        TextPos position, TextPos text_begin, TextPos text_end, std::uint32_t most,
                        const Found& found) {
  const Part& part = leaf.part;
  const TextPos anchor = position + leaf.length;
  const auto allowed = static_cast<std::int32_t>(most);
  std::int32_t left = allowed + 1, most_left = static_cast<std::int32_t>(part.left_budget);
  const auto any_row = [](std::int32_t) { return 0; };
  const auto reached_left = [&](std::int32_t column, std::int32_t edits) {
    const TextPos begin = anchor - static_cast<TextPos>(column);
    if (!exact_begin_precedes(text, pattern, begin, text_begin)) return most_left;
    left = edits;
    return most_left = edits - 1;
  };
  align_side(EditSide<true>::of(text, pattern, part.end, anchor, text_begin, K),
             EditWalk<K>{pattern.leftward(part.end), EditBudget::of(part)}, leaf.states,
             static_cast<std::int32_t>(leaf.length), leaf.left_automaton,
             SideRequest{most_left, any_row, reached_left});
  if (left > allowed) return;
  const EditWalk<K> walk = {pattern.rightward(part.end), EditBudget::of_all(most - static_cast<std::uint32_t>(left))};
  const auto least_row = [&](std::int32_t edits) {
    const auto to_go = static_cast<std::uint32_t>(allowed - left - edits);
    return static_cast<std::int32_t>(least_position(leaf.to_the_right, to_go)) - static_cast<std::int32_t>(part.end);
  };
  const auto reached_right = [&](std::int32_t column, std::int32_t edits) {
    const TextPos end = anchor + static_cast<TextPos>(column);
    if (exact_end_follows(text, pattern, end, text_end)) {
      found(end + pattern.exact_right, static_cast<std::uint32_t>(left + edits));
    }
    return allowed - left;
  };
  align_side(EditSide<false>::of(text, pattern, part.end, anchor, text_end, K), walk,
             leaf.right_automaton > 0 ? walk.start() : EditStates<K>::origin(), 0, leaf.right_automaton,
             SideRequest{allowed - left, least_row, reached_right});
}

}  // namespace warpseed::approximate
