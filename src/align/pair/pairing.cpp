#include "align/pair/pairing.hpp"

namespace warpseed {

namespace {

/// Adds what is found of `mate` near the places of `anchor`. expected: as the mate is seen from the anchor.
bool rescue_mate(const PlacedRead& anchor, PlacedRead& mate, std::uint64_t mate_number, const InsertView& expected,
                 const AlignOptions& options, ReadPlacer& placer) {
  const std::uint32_t length = anchor.read.length(), mate_length = mate.read.length();
  return rescue_near(
      std::span(anchor.alignments), expected, options,
      [&](const Alignment& place, Orientation seen, const InsertRange& range) {
        return has_mate(place, length, View<Alignment>(std::span(mate.alignments)), mate_length, seen, range);
      },
      [&](const Alignment& place, Orientation seen, const InsertRange& range) {
        return placer.rescue(place, length, mate, mate_number, seen, range);
      });
}

RankedAlignments ranked(PlacedRead& placed) {
  return {placed.alignments.data(), static_cast<std::uint32_t>(placed.alignments.size()), placed.traits};
}

}  // namespace

PairOfChoices choose_together(PlacedRead& first, PlacedRead& second, std::uint64_t first_number,
                              const InsertView& expected, const AlignOptions& options, ReadPlacer& placer) {
  if (options.rescue_mates && may_rescue(first.read.length(), second.read.length())) {
    const bool added_second = rescue_mate(first, second, first_number + 1, expected, options, placer);
    const bool added_first = rescue_mate(second, first, first_number, from_second(expected), options, placer);
    if (added_first) placer.rank(first, first_number);
    if (added_second) placer.rank(second, first_number + 1);
  }
  const RankedAlignments one = ranked(first), other = ranked(second);
  PairChoice pair;
  if (options.pairing) {
    pair = choose_pair({pairable(one), pairable(other), first_number / 2}, expected, options.scoring);
  }
  return choose_places(one, other, pair, expected, options);
}

}  // namespace warpseed
