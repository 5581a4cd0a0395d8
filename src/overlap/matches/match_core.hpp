// Maximal exact matches, shared by both backends: words common to the two sides, and the matches that begin there.
//
// A match of at least L bases begins with a word: L bases that occur at two positions. It is left-maximal if the bases
// before the two positions differ or one position has none. So every maximal match is found once, at its beginning. The
// work is proportional to the number of matches, however often a word occurs.
//
// If matches must be unique, a query position has at most one partner. The positions of a word are then divided: each
// target, with the queries whose partner it is, counts as a word of its own.
#pragma once

#include <cstdint>

#include "core/view.hpp"
#include "suffix/bounded_text_core.hpp"

namespace warpseed::overlap {

/// A position at which matches begin, on the side that is traversed in order.
template <class Pos>
struct WordStart {
  Pos position;  // in the text
  Pos word;      // number of the word at this position
};

/// A position of a word on the other side.
template <class Pos>
struct WordPartner {
  Pos position;
  Pos left;  // the preceding base, 4 if there is none
};

/// All positions of the words with which matches begin; owns nothing.
template <class Pos>
struct WordJoinView {
  View<WordStart<Pos>> starts;      // by position
  View<std::uint64_t> begins;       // [words + 1] into `partners`
  View<WordPartner<Pos>> partners;  // by word, then by left, then by position
  std::uint64_t shortest = 1;       // L
  bool self = false;                // both sides are one set: only partners on one side of the start count
  bool by_query = false;            // the starts are the queries'
};

/// A match in text positions.
struct TextMatch {
  TextPos target = 0;
  TextPos query = 0;
  std::uint64_t length = 0;

  friend bool operator==(const TextMatch&, const TextMatch&) = default;
  friend auto operator<=>(const TextMatch&, const TextMatch&) = default;
};

/// The first i in [begin, end) with is_above(i), or `end`; is_above() must be monotonic.
template <class IsAbove>
WS_HD std::uint64_t first_above(std::uint64_t begin, std::uint64_t end, IsAbove is_above) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (is_above(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

/// The partners that begin a match with a start: one range for each preceding base.
struct PartnerRanges {
  std::uint64_t begin[5], count[5];

  WS_HD std::uint64_t total() const { return count[0] + count[1] + count[2] + count[3] + count[4]; }

  /// The index of partner k < total().
  WS_HD std::uint64_t operator[](std::uint64_t k) const {
    unsigned left = 0;
    while (k >= count[left]) k -= count[left++];
    return begin[left] + k;
  }
};

template <class Pos>
WS_HD PartnerRanges partner_ranges(const WordJoinView<Pos>& join, const suffix::GenomeText& text,
                                   const WordStart<Pos>& start) {
  const unsigned own_left = suffix::base_before(text, start.position);
  const std::uint64_t word_end = join.begins[start.word + 1];
  std::uint64_t at = join.begins[start.word];
  PartnerRanges ranges;
  for (unsigned left = 0; left < 5; ++left) {
    std::uint64_t begin = at;
    std::uint64_t end = at = first_above(at, word_end, [&](std::uint64_t i) { return join.partners[i].left > left; });
    if (join.self) {
      const std::uint64_t past_own =
          first_above(begin, end, [&](std::uint64_t i) { return join.partners[i].position > start.position; });
      if (join.by_query) {
        end = past_own;
        if (end > begin && join.partners[end - 1].position == start.position) --end;
      } else {
        begin = past_own;
      }
    }
    ranges.begin[left] = begin;
    ranges.count[left] = left == own_left && left < 4 ? 0 : end - begin;
  }
  return ranges;
}

/// How many matches begin at a start, regardless of uniqueness; saturates at 2^32 - 1.
template <class Pos>
WS_HD std::uint32_t match_count(const WordJoinView<Pos>& join, const suffix::GenomeText& text,
                                const WordStart<Pos>& start) {
  const std::uint64_t total = partner_ranges(join, text, start).total();
  return total < 0xFFFFFFFFU ? static_cast<std::uint32_t>(total) : 0xFFFFFFFFU;
}

/// The match of a start and a partner.
template <class Pos>
WS_HD TextMatch match_of(const WordJoinView<Pos>& join, const suffix::GenomeText& text, const WordStart<Pos>& start,
                         const WordPartner<Pos>& partner) {
  const std::uint64_t length = suffix::shared_symbols(text, start.position, partner.position, join.shortest);
  if (join.by_query) return {partner.position, start.position, length};
  return {start.position, partner.position, length};
}

/// A position and the length of the longest prefix shared with another position of its side. Longer ones are unique.
template <class Pos>
struct PositionDepth {
  Pos position;
  Pos depth;
};

/// True if the match of two positions, which share the first `known` bases, is unique on both sides. A query position
/// has at most one such target, the one with which it shares more bases than with any other. That is the last target
/// before it or the first one after it in the suffix array.
template <class Pos>
WS_HD bool is_unique_match(const suffix::GenomeText& text, const PositionDepth<Pos>& target,
                           const PositionDepth<Pos>& query, std::uint64_t known) {
  const std::uint64_t length = suffix::shared_symbols(text, target.position, query.position, known);
  return length > target.depth && length > query.depth;
}

}  // namespace warpseed::overlap
