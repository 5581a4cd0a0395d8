#include "approximate/occurrence.hpp"

#include <algorithm>
#include <numeric>

#include "approximate/verify_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed::approximate {

namespace {

/// The text length of the alignment that align_to_end() chooses, without the exact ends. end: without the exact end.
template <unsigned K>
std::uint32_t chosen_length(const text::PackedView& text, const PatternView& pattern, TextPos end, TextPos text_begin) {
  const EditWalk<K> walk = {pattern.leftward(pattern.right_end()), EditBudget::of_all(K)};
  const std::uint32_t bases = walk.reading.length;
  EditStates<K> states = walk.start();
  const auto unlike = [&](std::uint32_t length) { return length < bases ? bases - length : length - bases; };
  std::uint32_t chosen = 0, fewest = EditStates<K>::none;
  for (std::uint32_t length = 0;; ++length) {
    const std::uint32_t edits = states.edits_of(bases, static_cast<std::int32_t>(length));
    const bool better = edits < fewest || (edits == fewest && edits <= K && unlike(length) <= unlike(chosen));
    if (better && exact_begin_precedes(text, pattern, end - length, text_begin)) fewest = edits, chosen = length;
    if (!states.alive() || end - length <= text_begin) break;
    states = walk.next(states, static_cast<std::int32_t>(length), text[end - length - 1]);
  }
  if (fewest > K) {
    throw InputError(
        "the index does not agree with its text (warpseed inspect --verify says where); build it again with warpseed "
        "index");
  }
  return chosen;
}

/// The states of an alignment from the pattern's begin, without the exact ends, for each text length.
template <unsigned K>
struct FilledMatrix {
  EditWalk<K> walk;
  std::vector<EditStates<K>> states;  // [text length + 1]
  std::vector<std::uint8_t> bases;    // [text length]

  FilledMatrix(const text::PackedView& text, const PatternView& pattern, TextPos begin, TextPos end)
      : walk{pattern.rightward(pattern.exact_left), EditBudget::of_all(K)}, states{walk.start()} {
    for (TextPos at = begin; at < end; ++at) {
      bases.push_back(text[at]);
      states.push_back(walk.next(states.back(), static_cast<std::int32_t>(at - begin), bases.back()));
    }
  }

  /// Is the cell of `row` pattern bases and `length` text bases reached with e edits?
  bool reached(std::int32_t row, std::int32_t length, std::uint32_t e) const {
    return row >= 0 && length >= 0 && e <= K &&
           (states[static_cast<std::size_t>(length)].within[e] & EditStates<K>::cells(length, row, row)) != 0;
  }
  bool matches(std::int32_t row, std::int32_t length) const {
    return row > 0 && length > 0 &&
           (EditStates<K>::matches(walk.reading, length - 1, bases[static_cast<std::size_t>(length - 1)]) &
            EditStates<K>::cells(length - 1, row - 1, row - 1)) != 0;
  }
};

/// Follows the cells of an alignment from its end to its begin; the diagonal comes first, so gaps are leftmost.
template <unsigned K>
std::string traced_back(const FilledMatrix<K>& matrix) {
  const std::uint32_t pattern_length = matrix.walk.reading.length;
  auto length = static_cast<std::int32_t>(matrix.bases.size()), row = static_cast<std::int32_t>(pattern_length);
  std::uint32_t edits = matrix.states.back().edits_of(pattern_length, length);
  std::string operations;
  while (row > 0 || length > 0) {
    if (matrix.matches(row, length) && matrix.reached(row - 1, length - 1, edits)) {
      operations += '=', --row, --length;
    } else if (matrix.reached(row - 1, length - 1, edits - 1)) {
      operations += 'X', --row, --length, --edits;
    } else if (matrix.reached(row, length - 1, edits - 1)) {
      operations += 'D', --length, --edits;
    } else {
      operations += 'I', --row, --edits;
    }
  }
  std::reverse(operations.begin(), operations.end());
  return operations;
}

template <unsigned K>
Alignment aligned(const text::PackedView& text, const PatternView& pattern, TextPos end, TextPos text_begin) {
  const TextPos inner_end = end - pattern.exact_right;
  const TextPos inner_begin = inner_end - chosen_length<K>(text, pattern, inner_end, text_begin);
  const std::string operations = traced_back(FilledMatrix<K>(text, pattern, inner_begin, inner_end));
  return {inner_begin - pattern.exact_left, end,
          std::string(pattern.exact_left, '=') + operations + std::string(pattern.exact_right, '=')};
}

/// The ends to keep of some that no other end of their segment is near.
void keep_best_of_group(std::span<const AlignmentEnd> ends, unsigned differences, std::vector<AlignmentEnd>& kept) {
  std::vector<std::size_t> order(ends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ends[a].differences < ends[b].differences; });
  std::vector<std::uint8_t> keep(ends.size()), excluded(ends.size());
  for (const std::size_t i : order) {
    if (excluded[i]) continue;
    keep[i] = 1;
    for (std::size_t j = i; j-- > 0 && ends[i].end - ends[j].end <= differences;) excluded[j] = 1;
    for (std::size_t j = i + 1; j < ends.size() && ends[j].end - ends[i].end <= differences; ++j) excluded[j] = 1;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (keep[i]) kept.push_back(ends[i]);
  }
}

}  // namespace

void keep_local_best(const text::GenomeView& genome, std::vector<AlignmentEnd>& ends, unsigned differences) {
  const auto near = [&](const AlignmentEnd& a, const AlignmentEnd& b) { return b.end - a.end <= differences; };
  const auto segment_of = [&](const AlignmentEnd& end) { return text::segment_at(genome, end.end - 1); };
  std::vector<AlignmentEnd> kept;
  for (auto first = ends.begin(); first != ends.end();) {
    auto last = first + 1;
    while (last != ends.end() && near(last[-1], *last) && segment_of(last[-1]) == segment_of(*last)) ++last;
    keep_best_of_group({first, last}, differences, kept);
    first = last;
  }
  ends = std::move(kept);
}

Alignment align_to_end(const text::PackedView& text, const PatternView& pattern, TextPos end, TextPos text_begin,
                       unsigned differences) {
  return with_constant(differences, [&]<unsigned K>() { return aligned<K>(text, pattern, end, text_begin); });
}

Alignment align_ungapped(const text::PackedView& text, const PatternView& pattern, TextPos end) {
  Alignment alignment = {end - pattern.length, end, {}};
  for (std::uint32_t i = 0; i < pattern.length; ++i) {
    alignment.operations += pattern.sets[i] >> text[alignment.begin + i] & 1 ? '=' : 'X';
  }
  return alignment;
}

std::string cigar_of(const std::string& operations, bool reversed) {
  const std::string ordered = reversed ? std::string(operations.rbegin(), operations.rend()) : operations;
  std::string cigar;
  for (std::size_t i = 0; i < ordered.size();) {
    const std::size_t end = std::min(ordered.find_first_not_of(ordered[i], i), ordered.size());
    cigar += std::to_string(end - i) + ordered[i];
    i = end;
  }
  return cigar;
}

}  // namespace warpseed::approximate
