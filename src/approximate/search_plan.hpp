// Divides a pattern into the parts that searches begin with.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "approximate/differences.hpp"
#include "approximate/pattern_core.hpp"

namespace warpseed::approximate {

/// The text that is searched, as the costs of a search depend on it.
struct SearchedText {
  std::uint64_t size = 0;         // bases
  std::uint32_t kmer_length = 0;  // of the index's table
  double copies = 0;              // of the repeat that a pattern is expected to be of
};

/// How a pattern is searched. With edits the parts divide what is between the pattern's exact ends, and begin at 0.
struct SearchPlan {
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  std::vector<Part> parts;             // from left to right
  double steps = 0;                    // expected
  std::uint32_t number = 0;            // of the planner's plans, which are numbered from 0
  std::uint32_t give_up_rows = never;  // where a string of a repeat has more rows: other parts suit repeats much better

  friend bool operator==(const SearchPlan&, const SearchPlan&) = default;
};

/// Chooses the parts of patterns by the expected cost of their searches in a random text of the same size.
///
/// The parts cover the pattern from left to right. With budgets b_i whose sum of b_i + 1 is differences + 1, every
/// occurrence has a part with at most b_i differences (or else it had more than all together). The search of the last
/// such part reports it: the parts to the right of it exceed their budgets, which bounds the differences left over for
/// the part and what is to its left.
/// Cost: a dynamic program over borders and budgets; plans are kept by the numbers of bases that a pattern's codes
/// stand for, and whether they are to match.
class SearchPlanner {
 public:
  /// for_repeats: would plan a pattern of a repeat; must outlive the planner. nullptr: patterns are never given up.
  SearchPlanner(const SearchedText& text, const SearchOptions& options, SearchPlanner* for_repeats = nullptr)
      : text_(text), options_(options), for_repeats_(for_repeats) {}

  const SearchOptions& options() const { return options_; }

  /// reverse: the pattern is a reverse complement, so its exact ends are the other way round.
  /// Throws std::invalid_argument for a pattern whose bases that may differ are not more than the differences.
  const SearchPlan& plan(std::span<const text::BaseSet> pattern, bool reverse = false);

  /// The same for a pattern each of whose codes is a single base; sooner, where one of this length has been planned.
  const SearchPlan& plan_of_single(std::span<const text::BaseSet> pattern, bool reverse);

 private:
  SearchedText text_;
  SearchOptions options_;
  SearchPlanner* for_repeats_;

  const SearchPlan*& plan_of_length(std::size_t length, bool reverse);
  const SearchPlan& plan_for(const std::string& choices);

  std::vector<const SearchPlan*> plans_by_length_[2];  // of patterns of one base a code, by strand; null: not known
  std::map<std::string, SearchPlan> plans_;            // by the choices for each base
};

}  // namespace warpseed::approximate
