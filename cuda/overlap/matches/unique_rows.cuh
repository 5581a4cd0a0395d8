// Of the rows by whose words matches may begin, those by which unique matches do.
#pragma once

#include <span>

#include "overlap/matches/match_finder.hpp"
#include "overlap/matches/word_rows.cuh"

namespace warpseed::overlap::cuda {

/// Words divided as overlap/match_core.hpp says: each target that begins a unique match is numbered as a word, which has
/// its row and those of its queries. The targets come first, by word, then the queries.
///
/// rows: as find_word_rows() makes them, of two sides. uniqueness: not `any`. contig_begins: [contigs + 1] text positions.
/// Memory: 20 bytes a row, with Uniqueness::in_both 24 more for each of the queries while these are sorted.
WordRows unique_rows(const suffix::cuda::DeviceText& text, const WordRows& rows, const WordSides& sides,
                     Uniqueness uniqueness, std::span<const TextPos> contig_begins, const Stream& stream);

}  // namespace warpseed::overlap::cuda
