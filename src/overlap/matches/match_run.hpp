// The modes of overlap, from a text to their output.
#pragma once

#include <functional>
#include <span>

#include "overlap/longest/longest.hpp"
#include "overlap/matches/match_finder.hpp"
#include "overlap/region_output.hpp"
#include "warpseed/overlap.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::overlap {

/// Calls visit with all matches, in portions, in the order of MatchOptions, one call at a time; of a set compared with
/// itself each match once.
void for_each_match(const SequenceText& text, const MatchOptions& options, const Backend& backend,
                    const std::function<void(std::span<const CommonRegion>)>& visit);

/// Writes all matches in the order of MatchOptions; of a set compared with itself each match once. Streams: at most
/// some hundred thousand matches per thread are in memory, more only if that many begin at one position.
void write_matches(const SequenceText& text, const MatchOptions& options, const Backend& backend, RegionOutput& output,
                   const ProgressCallback& progress = {});

/// Writes the longest common regions.
void write_longest(const SequenceText& text, const LongestOptions& options, const Backend& backend,
                   RegionOutput& output);

}  // namespace warpseed::overlap
