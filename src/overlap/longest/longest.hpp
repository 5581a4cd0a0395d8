// The longest region that each pair of sequences has in common.
#pragma once

#include <vector>

#include "core/backend.hpp"
#include "overlap/common_region.hpp"
#include "overlap/sequence_text.hpp"

namespace warpseed::overlap {

struct LongestOptions {
  bool ties = false;    // every region of that length; else the first in the target, then forward, then in the query
  bool within = false;  // of a set compared with itself: also the longest repeat within each sequence
};

/// For every pair of a target and a query, or of two sequences of one set (the earlier one is the target), the
/// longest region in common on the strands that `text` holds; pairs without a base in common are left out. One result
/// for every region that differs: its first place on either side and how often it occurs there, on the strand of the
/// match. In order of target, query, place.
///
/// Cost:   one suffix and LCP array; then the places of common words are gone through from long words to short, until
///         every pair has met.
/// Memory: 4 bytes a pair, 5 a symbol, 6 more for a symbol from which 255 bases or more recur; while the LCP array is
///         made 12 a symbol or little more. Beyond 2^32 - 2 symbols up to twice as much.
/// Throws IoError if the pairs do not fit the memory.
std::vector<LongestRegion> longest_regions(const SequenceText& text, const LongestOptions& options,
                                           const Backend& backend);

}  // namespace warpseed::overlap
