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
};

/// Chooses the parts of patterns by the expected cost of their searches in a random text of the same size.
///
/// The parts cover the pattern from left to right. With budgets b_i whose sum of b_i + 1 is differences + 1, every
/// occurrence has a part with at most b_i differences (or else it had more than all together). The search of the last
/// such part reports it: the parts to the right of it exceed their budgets, which bounds the differences left over for
/// the part and what is to its left.
/// Cost: a dynamic program over borders and budgets; plans are kept by the numbers of bases that a pattern's codes
/// stand for.
class SearchPlanner {
 public:
  SearchPlanner(const SearchedText& text, const SearchOptions& options) : text_(text), options_(options) {}

  /// Throws std::invalid_argument for a pattern that is not longer than the differences.
  const std::vector<Part>& plan(std::span<const text::BaseSet> pattern);

 private:
  SearchedText text_;
  SearchOptions options_;
  const std::vector<Part>& plan_for(const std::string& set_sizes);

  std::map<std::uint32_t, const std::vector<Part>*> plans_by_length_;  // of patterns whose codes are one base each
  std::map<std::string, std::vector<Part>> plans_;  // by the number of bases of each code, a byte each
};

}  // namespace warpseed::approximate
