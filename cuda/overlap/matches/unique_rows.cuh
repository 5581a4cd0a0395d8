// Selects the rows of unique matches from the rows of words with which matches may begin.
#pragma once

#include <span>

#include "overlap/matches/match_finder.hpp"
#include "overlap/matches/word_rows.cuh"

namespace warpseed::overlap::cuda {

/// Divides words as overlap/matches/match_core.hpp describes: each target that begins a unique match is a word of its
/// own, with its row and those of its queries. The targets come first, by word, then the queries.
///
/// rows: from find_word_rows(), of two sides. uniqueness: not `any`. contig_begins: [contigs + 1] text positions.
/// Memory: 20 bytes per row; with Uniqueness::in_both 24 more per query while these are sorted.
WordRows unique_rows(const suffix::cuda::DeviceText& text, const WordRows& rows, const WordSides& sides,
                     Uniqueness uniqueness, std::span<const TextPos> contig_begins, const Stream& stream);

}  // namespace warpseed::overlap::cuda
