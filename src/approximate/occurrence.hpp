// Chooses the occurrences of a pattern from the ends of its alignments, and aligns them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "approximate/differences.hpp"
#include "approximate/pattern_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::approximate {

/// Leaves one end of each group of overlapping alignments: from those with the fewest differences to those with the
/// most, the leftmost first, an end is kept unless one at most `differences` bases away in its segment has been.
/// Keeps the order.
///
/// ends: sorted, each once. Cost: O(ends * differences).
void keep_local_best(const text::GenomeView& genome, std::vector<AlignmentEnd>& ends, unsigned differences);

/// The alignment of a whole pattern to text positions [begin, end).
struct Alignment {
  TextPos begin = 0, end = 0;
  std::string operations;  // one of = X I D for each column from left to right; I: a pattern base that the text lacks
};

/// Aligns a pattern to the text that ends at `end`, with the fewest edits. Of several begins takes the one that makes
/// the text most nearly as long as the pattern, then the longer text; of several alignments the one whose gaps are
/// leftmost.
///
/// text_begin: of the end's segment. Memory: 4 * (differences + 1) bytes for each base of the pattern.
/// Throws InputError if there is no alignment with at most `differences` edits: the end is from the index of another text.
Alignment align_to_end(const text::PackedView& text, const PatternView& pattern, TextPos end, TextPos text_begin,
                       unsigned differences);

/// The alignment without gaps that ends at `end`.
Alignment align_ungapped(const text::PackedView& text, const PatternView& pattern, TextPos end);

/// Operations as a CIGAR; in reverse order for an alignment of the reverse strand that is to be read along the pattern.
std::string cigar_of(const std::string& operations, bool reversed);

}  // namespace warpseed::approximate
