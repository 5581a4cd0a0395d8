// The longest common region of each pair of sequences.
#pragma once

#include <vector>

#include "core/backend.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// For every pair of a target and a query, or of two sequences of one set (the earlier one is the target): the longest
/// common region on the strands that `text` holds. Omits pairs without a common base. Returns one result per distinct
/// region: its first position on either side and its number of occurrences there, on the strand of the match. In order
/// of target, query, position.
///
/// Cost:   one suffix and LCP array, then one pass over the positions of common words, from long words to short, until
///         every pair has met.
/// Memory: 4 bytes per pair, 5 per symbol, 6 more per symbol at which a repeat of at least 255 bases begins; 12 or
///         slightly more per symbol while the LCP array is built. Up to twice as much beyond 2^32 - 2 symbols.
/// Throws IoError if the pairs do not fit in memory.
std::vector<LongestRegion> longest_regions(const SequenceText& text, const LongestOptions& options,
                                           const Backend& backend);

}  // namespace warpseed::overlap
