// Alignment with two-piece affine gaps in SIMD lanes: between two corners, or from a corner as far as it pays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/long_alignment.hpp"
#include "align/long_reads/two_piece_core.hpp"

namespace warpseed::align {

/// Memory of the DP. It grows as needed and is used again.
struct TwoPieceScratch {
  std::vector<std::int8_t> lanes;
  std::vector<std::int32_t> scores;
  std::vector<std::uint8_t> steps;
  std::vector<std::size_t> rows;  // [anti-diagonals] where the steps of each begin in `steps`, less its first cell
  Cigar reversed;
};

/// The most cells of a DP: bounds the memory of its path to 128 MiB a thread.
constexpr std::int64_t max_dp_cells = 1 << 27;

/// Appends the best path between the corners of query and genome, codes 0..4, within the band. Any lengths, 0 included;
/// a path with more than max_dp_cells cells becomes one insertion and one deletion.
/// Cost: a cell of the band; some 40 vector instructions for every 16 to 64 cells. Memory: a byte a cell.
void align_between(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome, const DiagonalBand& band,
                   const LongScoring& scoring, TwoPieceScratch& scratch, Cigar& cigar);

/// The end of an extension, and its score.
struct TwoPieceEnd {
  std::int32_t query_length = 0, genome_length = 0, score = 0;
};

/// Appends the best path from the first corner to anywhere. It ends where the score falls by more than scoring.drop,
/// and at the query's end if that scores at most scoring.end_bonus less than the best end.
TwoPieceEnd extend_from(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                        const DiagonalBand& band, const LongScoring& scoring, TwoPieceScratch& scratch, Cigar& cigar);

}  // namespace warpseed::align
