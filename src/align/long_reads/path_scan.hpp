// The scores along a path, what remains of it without losing ends, and its normal form.
#pragma once

#include <cstdint>
#include <optional>
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

/// A part of a path.
struct TrimmedPath {
  Cigar cigar;
  std::uint32_t query_begin = 0, genome_begin = 0;    // from the whole path's begin
  std::uint32_t query_length = 0, genome_length = 0;  // bases
  std::uint32_t columns = 0;                          // see LongAlignment
  std::int32_t score = 0;
  std::vector<Difference> differences;  // see LongAlignment
};

/// Cuts off what loses score at both ends of a path. Its stretches are those between points where all score is lost
/// again; what remains reaches from the begin of the first one with at least min_score to the highest score of the last
/// one, and scores what the best of them does. Nothing if there is none. O(bases).
std::optional<TrimmedPath> trim_path(const PathView& path, const LongScoring& scoring, std::int32_t min_score);

/// The largest drop of the score from any point of a path to a later one, less what the change of diagonal between them
/// costs as one gap: reads may have more deletions than insertions all along.
std::int32_t largest_drop(const PathView& path, const LongScoring& scoring);

/// The bases of an alignment in runs of at least `shortest` equal pairs. O(CIGAR elements and differences).
std::uint32_t bases_in_runs(const LongAlignment& alignment, std::uint32_t shortest);

/// Moves every gap as far to the left as equal bases allow, leaving one aligned pair between gaps.
void shift_gaps_left(Cigar& cigar, const std::uint8_t* query, const std::uint8_t* genome);

}  // namespace warpseed::align
