// Finds all occurrences of patterns with at most k mismatches or edits, on one strand or both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "approximate/bulged_patterns.hpp"
#include "approximate/end_search.hpp"
#include "approximate/occurrence.hpp"
#include "approximate/pattern_batch.hpp"

namespace warpseed::approximate {

/// An occurrence: text [begin, end) on the forward strand is an alignment's. The sort order is contig, begin, strand
/// (forward first), end.
struct Occurrence {
  TextPos begin = 0;
  bool reverse = false;  // the text is like the pattern's reverse complement
  TextPos end = 0;
  std::uint32_t differences = 0;
  std::string operations;  // of the alignment, from left to right in the text; empty for one that is only counted

  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// Occurrences of several patterns by number of differences.
struct Counts {
  std::uint64_t forward = 0, reverse = 0;
  std::vector<std::uint64_t> by_differences;  // [differences + bulges + 1] of both strands

  std::uint64_t total() const { return forward + reverse; }
};

/// What is reported of a pattern.
struct Selection {
  bool best_only = false;                      // only occurrences with the fewest differences that any has
  std::uint64_t max_hits = ~std::uint64_t{0};  // at most; those with the fewest differences, then the first ones
};

/// Occurrences of a pattern, sorted.
struct Located {
  std::vector<Occurrence> hits;
  std::uint64_t total = 0;  // more than hits if max_hits cut them
};

/// The search.
///
/// With mismatches an occurrence is every position where the pattern has at most `differences` mismatches. With edits,
/// alignments that end at most `differences` bases apart are one occurrence (keep_local_best), reported by the alignment
/// that align_to_end() chooses. No alignment covers an N of the text or crosses a contig's end. A pattern's IUPAC code
/// matches each base that it stands for. With bulges, of the alignments with the same 3' end of the pattern (5' end, if
/// that is the one to match) the one with the fewest differences, then the fewest bulges, is an occurrence; one with bulges
/// is left out where another one's end is at most `bulges` bases away that comes before it in this order.
/// SearchOptions::exact_begin and exact_end bases of a pattern are to match.
/// Threads: one caller at a time.
class ApproximateSearch {
 public:
  /// `target` must outlive the search. Throws std::invalid_argument for options that do not go together or exceed
  /// max_differences or max_bulges, BackendError if the index does not fit the device.
  ApproximateSearch(const Target& target, const Backend& backend, const SearchOptions& options);
  ApproximateSearch(const ApproximateSearch&) = delete;
  ApproximateSearch& operator=(const ApproximateSearch&) = delete;

  /// Searches a batch and keeps its occurrences for count() and locate(). An empty pattern occurs nowhere.
  /// Throws std::invalid_argument for a pattern that is not empty and whose bases that may differ are not more than the
  /// differences and twice the bulges, IoError if memory does not suffice.
  void find(const SetBatch& patterns);

  /// Alignments with few enough differences in the batch, before overlapping ones are joined.
  std::uint64_t ends_found() const;

  /// Of pattern i of the batch.
  Counts count(std::uint64_t i, const Selection& selection) const;
  Located locate(std::uint64_t i, const Selection& selection) const;

 private:
  void search_again(const SetBatch& patterns);
  std::vector<BulgedEnd> ends_of(std::uint64_t i, bool reverse) const;
  void add_occurrences(std::uint64_t i, bool reverse, std::span<const BulgedEnd> ends,
                       std::vector<Occurrence>& hits) const;

  Target target_;
  SearchOptions options_;
  int threads_;
  SearchPlanner for_repeats_;  // for patterns that turn out to occur much more often than random ones
  SearchPlanner planner_;      // for all others; refers to for_repeats_
  std::unique_ptr<EndSearch> search_;
  std::optional<BulgedPatterns> bulged_;
  StrandBatch batch_;  // with bulges, of the patterns in all their forms
  EndBatch ends_;
};

}  // namespace warpseed::approximate
