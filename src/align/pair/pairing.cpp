#include "align/pair/pairing.hpp"

#include "align/pair/near_pairs.hpp"

namespace warpseed::align {

namespace {

bool is_settled_mate(const ReadAlignments& anchor, const ReadAlignments& mate, const InsertSizeView& expected,
                     const AlignOptions& options) {
  return is_settled_mate(std::span(anchor.alignments), anchor.read.length(), std::span(mate.alignments), mate.traits,
                         expected, options);
}

/// Adds alignments of `mate` found near those of `anchor`. expected: the mate as seen from the anchor.
bool rescue_mate(const ReadAlignments& anchor, ReadAlignments& mate, std::uint64_t mate_number,
                 const InsertSizeView& expected, const AlignOptions& options, ReadAligner& read_aligner) {
  const std::uint32_t length = anchor.read.length(), mate_length = mate.read.length();
  read_aligner.begin_rescues();
  return rescue_near(
      std::span(anchor.alignments), expected, options,
      [&](const Alignment& alignment, Orientation seen, const InsertSizeRange& range) {
        return has_mate(alignment, length, View<Alignment>(std::span(mate.alignments)), mate_length, seen, range);
      },
      [&](const Alignment& alignment, Orientation seen, const InsertSizeRange& range) {
        return read_aligner.rescue(alignment, length, mate, mate_number, seen, range);
      });
}

RankedAlignments ranked(ReadAlignments& aligned) {
  return {aligned.alignments.data(), static_cast<std::uint32_t>(aligned.alignments.size()), aligned.traits};
}

}  // namespace

ChoicePair pair_mates(ReadAlignments& first, ReadAlignments& second, std::uint64_t first_number,
                      const InsertSizeView& expected, const AlignOptions& options, ReadAligner& read_aligner) {
  if (options.rescue_mates && may_rescue(first.read.length(), second.read.length())) {
    const InsertSizeView seen_from_second = swap_mates(expected);
    const bool search_second = !is_settled_mate(first, second, expected, options);
    const bool search_first = !is_settled_mate(second, first, seen_from_second, options);
    const bool added_second =
        search_second && rescue_mate(first, second, first_number + 1, expected, options, read_aligner);
    const bool added_first =
        search_first && rescue_mate(second, first, first_number, seen_from_second, options, read_aligner);
    if (added_first) read_aligner.rank(first, first_number);
    if (added_second) read_aligner.rank(second, first_number + 1);
  }
  const RankedAlignments one = ranked(first), other = ranked(second);
  PairChoice pair;
  if (options.pairing) {
    pair = choose_pair({pairable(one), pairable(other), first_number / 2}, expected, options.scoring,
                       NearPairs{largest_distance(expected)});
  }
  return choose_alignments(one, other, pair, expected, options);
}

}  // namespace warpseed::align
