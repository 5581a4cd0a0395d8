// The modes of overlap, from a text to their output.
#pragma once

#include <string>

#include "core/progress.hpp"
#include "overlap/longest/longest.hpp"
#include "overlap/matches/match_finder.hpp"
#include "overlap/region_output.hpp"

namespace warpseed::overlap {

/// Writes all matches in the order of MatchOptions; of a set compared with itself each match once. Streams: at most
/// some hundred thousand matches per thread are in memory, more only if that many begin at one position.
void write_matches(const SequenceText& text, const MatchOptions& options, const Backend& backend, RegionOutput& output,
                   const ProgressCallback& progress = {});

/// Writes the longest common regions.
void write_longest(const SequenceText& text, const LongestOptions& options, const Backend& backend,
                   RegionOutput& output);

}  // namespace warpseed::overlap
