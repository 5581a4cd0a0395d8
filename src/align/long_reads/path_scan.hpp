// A path's best-scoring stretches, and its normal form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/long_alignment.hpp"
#include "warpseed/align_options.hpp"

namespace warpseed::align {

/// A path along codes of a read and of the genome from its first bases on. Owns nothing.
struct PathView {
  std::span<const records::CigarElement> cigar;  // M, I and D
  const std::uint8_t* query = nullptr;
  const std::uint8_t* genome = nullptr;
};

/// A stretch of a path: elements [first, last], of whose first one `skipped` bases are left out, and of whose last one
/// only `taken` are part of it (counted from the element's begin).
struct PathStretch {
  std::size_t first = 0, last = 0;
  std::uint32_t skipped = 0, taken = 0;
  std::uint32_t query_begin = 0, genome_begin = 0;  // from the path's begin
  std::int32_t score = 0;
};

/// A gap's cost in the score of a path: that of the DP, or less for a long one.
std::int32_t path_gap_cost(const LongScoring& scoring, std::uint32_t length);

/// The stretches of a path between drops of the score by more than scoring.drop, each from its lowest to its highest
/// score; those of at least min_score, in path order. O(bases).
std::vector<PathStretch> find_stretches(const PathView& path, const LongScoring& scoring, std::int32_t min_score);

/// The largest drop of the score from any point of a path to a later one.
std::int32_t largest_drop(const PathView& path, const LongScoring& scoring);

/// Moves every gap as far to the left as equal bases allow, leaving one aligned pair between gaps.
void shift_gaps_left(Cigar& cigar, const std::uint8_t* query, const std::uint8_t* genome);

}  // namespace warpseed::align
