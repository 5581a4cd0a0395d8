// Pairs two aligned mates: rescue, choice of alignments, mapping qualities. The CPU's driver of pair_core.hpp.
#pragma once

#include <cstdint>

#include "align/pair/pair_core.hpp"
#include "align/pipeline/read_aligner.hpp"

namespace warpseed::align {

/// Rescues unaligned mates and chooses both mates' alignments together if the pair scores better than two single reads.
/// Pairs use no ALT contigs. May add alignments to both and promote a secondary alignment to the primary one of its
/// group.
ChoicePair pair_mates(ReadAlignments& first, ReadAlignments& second, std::uint64_t first_number,
                      const InsertSizeView& expected, const AlignOptions& options, ReadAligner& read_aligner);

}  // namespace warpseed::align
