// Finds every maximal exact match between two sides of a text, in order, in runs of bounded size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/backend.hpp"
#include "overlap/matches/match_core.hpp"
#include "overlap/sequence_text.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// Finds matches between the targets and the queries of a SequenceText. A set compared with itself has every forward
/// match once, with the target before the query. Reverse matches are reported twice, once from each end, unless their
/// two positions coincide.
///
/// Cost:    one sort of the text's suffixes, then time proportional to the matches; for unique ones, to the occurrences
///          of words common to both sides, however many matches are not unique.
/// Memory:  that of sorting; 8 bytes for each position at which a match begins or could begin.
/// Threads: matches() may be called concurrently.
class MatchFinder {
 public:
  virtual ~MatchFinder() = default;

  /// Cuts the positions at which matches begin into runs of about `most` matches, more only if one position has more.
  /// Run i is [ends[i - 1], ends[i]), the first begins at 0.
  virtual std::vector<std::uint64_t> run_ends(std::uint64_t most) const = 0;

  /// The number of start positions below a text position.
  virtual std::uint64_t first_position(TextPos position) const = 0;

  /// The matches that begin at start positions [begin, end), by text position of one side, then of the other.
  virtual std::vector<TextMatch> matches(std::uint64_t begin, std::uint64_t end) const = 0;
};

/// Implements run_ends() for start positions with counts[i] matches each.
std::vector<std::uint64_t> run_ends_of(const std::vector<std::uint32_t>& counts, std::uint64_t most);

/// text: must outlive the finder. Texts of more than narrow_limit symbols are joined on the CPU with either backend.
/// Throws std::invalid_argument for options out of range, IoError or BackendError if memory does not suffice.
std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend);

}  // namespace warpseed::overlap
