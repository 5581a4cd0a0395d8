// Two placed mates become a pair: rescue, the choice of places, mapping qualities. The CPU's way through pair_core.hpp.
#pragma once

#include <cstdint>

#include "align/pair/pair_core.hpp"
#include "align/pipeline/read_aligner.hpp"

namespace warpseed::align {

/// Rescues lost mates and chooses both mates' places together, when the pair explains more than two lone reads. Pairs
/// are made off ALT contigs.
/// May add alignments to both and turn a competitor into the winner of its group.
ChoicePair choose_together(ReadAlignments& first, ReadAlignments& second, std::uint64_t first_number,
                           const InsertSizeView& expected, const AlignOptions& options, ReadAligner& read_aligner);

}  // namespace warpseed::align
