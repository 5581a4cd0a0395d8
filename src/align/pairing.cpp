#include "align/pairing.hpp"

#include <algorithm>

#include "align/mapq_core.hpp"
#include "align/pair_core.hpp"

namespace warpseed {

namespace {

/// What is expected of mates, as the other one is seen from the second.
InsertView from_second(const InsertView& expected) {
  InsertView turned;
  for (unsigned i = 0; i < orientation_count; ++i) {
    turned.ranges[i] = expected.of(from_other_mate(static_cast<Orientation>(i)));
  }
  return turned;
}

/// Is the mate placed there already, and there alone? A place beside which there are others as good may be one of many
/// in an array of repeats, of which the nearest ones have to be seen, too.
bool has_mate(const Alignment& anchor, std::uint32_t anchor_length, const PlacedRead& mate, Orientation seen,
              const InsertRange& range) {
  return std::any_of(mate.alignments.begin(), mate.alignments.end(), [&](const Alignment& other) {
    if (other.competes_with != nobody || other.second_score >= other.score) return false;
    const MateDistance distance = mate_distance(anchor, anchor_length, other, mate.read.length());
    return distance.seen == seen && range.holds(distance.bases);
  });
}

/// For every good place of `anchor` without a mate nearby, looks for the mate there. expected: seen from `anchor`.
bool rescue_near(const PlacedRead& anchor, PlacedRead& mate, std::uint64_t mate_number, const InsertView& expected,
                 const AlignOptions& options, ReadPlacer& placer) {
  if (anchor.alignments.empty()) return false;
  const std::int32_t good_enough = anchor.alignments.front().score - options.scoring.unpaired;
  bool added = false;
  std::uint32_t rescues = 0;
  for (const Alignment& alignment : anchor.alignments) {
    if (rescues == options.max_rescues) break;
    if (alignment.score < good_enough) continue;
    ++rescues;
    for (unsigned i = 0; i < orientation_count; ++i) {
      const auto seen = static_cast<Orientation>(i);
      const InsertRange& range = expected.of(seen);
      if (range.high < range.low || has_mate(alignment, anchor.read.length(), mate, seen, range)) continue;
      added |= placer.rescue(alignment, anchor.read.length(), mate, mate_number, seen, range);
    }
  }
  return added;
}

/// How many of a read's alignments, the first ones, are off ALT contigs.
std::uint32_t primary_count(const PlacedRead& placed) {
  const auto on_alt = [](const Alignment& alignment) { return alignment.alt; };
  const auto& alignments = placed.alignments;
  return static_cast<std::uint32_t>(std::find_if(alignments.begin(), alignments.end(), on_alt) - alignments.begin());
}

/// Puts alignments[winner] in the place of the one that `better` says it comes after.
void replace(std::vector<Alignment>& alignments, std::int32_t winner, std::int32_t Alignment::*better) {
  const std::int32_t before = alignments[static_cast<std::size_t>(winner)].*better;
  for (Alignment& other : alignments) {
    if (other.*better == before) other.*better = winner;
  }
  alignments[static_cast<std::size_t>(before)].*better = winner;
  alignments[static_cast<std::size_t>(winner)].*better = nobody;
}

/// Makes alignments[winner] the winner of the group of competitors that it belongs to. An ALT contig stays first in
/// its list.
void promote(std::vector<Alignment>& alignments, std::int32_t winner) {
  Alignment& chosen = alignments[static_cast<std::size_t>(winner)];
  const std::int32_t before = chosen.competes_with, listed = chosen.listed_with;
  if (listed != nobody && !alignments[static_cast<std::size_t>(listed)].alt) {
    replace(alignments, winner, &Alignment::listed_with);
  }
  if (before == nobody) return;
  replace(alignments, winner, &Alignment::competes_with);
  chosen.second_score = alignments[static_cast<std::size_t>(before)].score;
}

std::int32_t single_mapq_of(const PlacedRead& placed, std::int32_t index, const AlignOptions& options) {
  return single_mapq(placed.alignments[static_cast<std::size_t>(index)], placed.traits, options);
}

/// The best places of both mates, chosen apart, may still be a proper pair.
bool proper_apart(const PlacedRead& first, const PlacedRead& second, const PairOfChoices& choices,
                  const InsertView& expected) {
  if (choices.first.primary == nobody || choices.second.primary == nobody) return false;
  const Alignment& a = first.alignments[static_cast<std::size_t>(choices.first.primary)];
  const Alignment& b = second.alignments[static_cast<std::size_t>(choices.second.primary)];
  return is_proper(expected, mate_distance(a, first.read.length(), b, second.read.length()));
}

PairOfChoices adopt(PlacedRead& first, PlacedRead& second, const PairChoice& pair, std::int32_t unpaired_score,
                    const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  const std::int32_t certainty = pair_mapq(pair, unpaired_score, first.traits, second.traits, scoring);
  const auto choose = [&](PlacedRead& placed, std::int32_t index) {
    promote(placed.alignments, index);
    const std::int32_t single = single_mapq_of(placed, index, options);
    return Choice{index, paired_mapq(single, certainty), true};
  };
  return {choose(first, pair.first), choose(second, pair.second)};
}

}  // namespace

Choice choose_single(const PlacedRead& placed, const AlignOptions& options) {
  const auto& alignments = placed.alignments;
  const auto first = std::find_if(alignments.begin(), alignments.end(),
                                  [&](const Alignment& alignment) { return alignment.score >= options.min_score; });
  if (first == alignments.end()) return {};
  const auto index = static_cast<std::int32_t>(first - alignments.begin());
  return {index, single_mapq_of(placed, index, options), false};
}

PairOfChoices choose_together(PlacedRead& first, PlacedRead& second, std::uint64_t first_number,
                              const InsertView& expected, const AlignOptions& options, ReadPlacer& placer) {
  if (options.rescue_mates) {
    const bool added_second = rescue_near(first, second, first_number + 1, expected, options, placer);
    const bool added_first = rescue_near(second, first, first_number, from_second(expected), options, placer);
    if (added_first) placer.rank(first);
    if (added_second) placer.rank(second);
  }
  const std::uint32_t count1 = primary_count(first), count2 = primary_count(second);
  if (options.pairing && count1 > 0 && count2 > 0) {
    const PairChoice pair = choose_pair(first.alignments.data(), count1, first.read.length(), second.alignments.data(),
                                        count2, second.read.length(), expected, options.scoring);
    const std::int32_t unpaired_score =
        first.alignments.front().score + second.alignments.front().score - options.scoring.unpaired;
    if (pair.first != nobody && pair.score > unpaired_score) return adopt(first, second, pair, unpaired_score, options);
  }
  PairOfChoices choices = {choose_single(first, options), choose_single(second, options)};
  choices.first.proper = choices.second.proper = proper_apart(first, second, choices, expected);
  return choices;
}

}  // namespace warpseed
