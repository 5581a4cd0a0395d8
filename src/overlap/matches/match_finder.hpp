// Every maximal exact match between two sides of a text, in order, in runs of bounded size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/backend.hpp"
#include "overlap/matches/match_core.hpp"
#include "overlap/sequence_text.hpp"

namespace warpseed::overlap {

/// Which matches count.
///   any        all: MEM
///   in_target  their bases stand once in all targets together, forward: MAM
///   in_both    and once in their query, on the strand of the match: MUM
enum class Uniqueness { any, in_target, in_both };

struct MatchOptions {
  std::uint64_t min_length = 20;  // at least 1
  Uniqueness uniqueness = Uniqueness::any;
  bool by_query = false;  // order by query position, then target; else by target, then query
};

/// Finds matches between the targets and the queries of a SequenceText. A set compared with itself has every match
/// once: forward with the target before the query; those of the other strand come out twice, from either end, unless
/// their two places are one.
///
/// Cost:    one sort of the text's suffixes, then work in proportion to the matches; for unique ones, to the places of
///          words that stand on both sides, however many matches are not unique.
/// Memory:  what sorting takes; 8 bytes for each place at which a match begins or could.
/// Threads: matches() may be called from several at once.
class MatchFinder {
 public:
  virtual ~MatchFinder() = default;

  /// Cuts the places at which matches begin into runs of about `most` matches, more only where one place has more:
  /// run i is [ends[i - 1], ends[i]), the first begins at 0.
  virtual std::vector<std::uint64_t> run_ends(std::uint64_t most) const = 0;

  /// The number of places that lie before a text position.
  virtual std::uint64_t first_position(TextPos position) const = 0;

  /// The matches that begin at places [begin, end): by text position of one side, then of the other.
  virtual std::vector<TextMatch> matches(std::uint64_t begin, std::uint64_t end) const = 0;
};

/// The run_ends() for places that begin counts[i] matches each.
std::vector<std::uint64_t> run_ends_of(const std::vector<std::uint32_t>& counts, std::uint64_t most);

/// text: must outlive the finder. Texts of more than narrow_limit symbols are joined on the CPU whatever the backend.
/// Throws std::invalid_argument for options out of range, IoError or BackendError if memory does not suffice.
std::unique_ptr<MatchFinder> make_match_finder(const SequenceText& text, const MatchOptions& options,
                                               const Backend& backend);

}  // namespace warpseed::overlap
