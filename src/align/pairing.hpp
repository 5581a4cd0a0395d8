// Two placed mates become a pair: rescue, the choice of places, mapping qualities.
#pragma once

#include <cstdint>

#include "align/read_placer.hpp"

namespace warpseed {

/// Which alignment of a read is reported as its primary, and how sure it is.
struct Choice {
  std::int32_t primary = nobody;  // index into PlacedRead::alignments; nobody: unmapped
  std::int32_t mapq = 0;
  bool proper = false;
};

struct PairOfChoices {
  Choice first, second;
};

/// The choice for a read on its own: its best alignment that reaches the minimal score, off ALT contigs if there is one.
Choice choose_single(const PlacedRead& placed, const AlignOptions& options);

/// Rescues lost mates and chooses both mates' places together, when the pair explains more than two lone reads. Pairs
/// are made off ALT contigs.
/// May add alignments to both and turn a competitor into the winner of its group.
PairOfChoices choose_together(PlacedRead& first, PlacedRead& second, std::uint64_t first_number,
                              const InsertView& expected, const AlignOptions& options, ReadPlacer& placer);

}  // namespace warpseed
