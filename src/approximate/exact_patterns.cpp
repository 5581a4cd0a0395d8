#include "approximate/exact_patterns.hpp"

#include <algorithm>
#include <span>

#include "approximate/trie_core.hpp"
#include "text/alphabet.hpp"

namespace warpseed::approximate {

namespace {

bool is_ambiguous(std::span<const text::BaseSet> pattern) {
  return std::any_of(pattern.begin(), pattern.end(), [](text::BaseSet set) { return code_of_set(set) > 3; });
}

}  // namespace

ExactPatterns::ExactPatterns(const Target& target, const Backend& backend, Strands strands)
    : target_(target), backend_(backend), strands_(strands), rows_search_(target.fm, backend, strands) {}

void ExactPatterns::find(const SetBatch& patterns) {
  index::PatternBatch codes;
  SetBatch ambiguous;
  codes.codes.reserve(patterns.sets.size());
  for (const text::BaseSet set : patterns.sets) codes.codes.push_back(static_cast<std::uint8_t>(code_of_set(set)));
  codes.offsets = patterns.offsets;  // a set of several bases has code_n, which occurs nowhere
  ambiguous_number_.assign(patterns.count(), by_rows);
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    if (!is_ambiguous(patterns[i])) continue;
    ambiguous_number_[i] = ambiguous.count();
    ambiguous.add(patterns[i]);
  }
  rows_ = rows_search_.find(codes);
  if (ambiguous.count() == 0) return;
  if (!ambiguous_search_) {
    const SearchOptions exact = {Metric::mismatches, 0, strands_};
    ambiguous_search_ = std::make_unique<ApproximateSearch>(target_, backend_, exact);
  }
  ambiguous_search_->find(ambiguous);
}

std::vector<ExactPatterns::StrandCounts> ExactPatterns::counts() const {
  std::vector<StrandCounts> counts(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (ambiguous_number_[i] == by_rows) {
      counts[i] = {rows_[i].forward.count(), rows_[i].reverse.count()};
    } else {
      const Counts found = ambiguous_search_->count(ambiguous_number_[i], {});
      counts[i] = {found.forward, found.reverse};
    }
  }
  return counts;
}

index::OccurrenceBatch ExactPatterns::locate(std::uint64_t first, std::uint64_t last, std::uint64_t max_hits) {
  const auto rows = std::span(rows_).subspan(first, last - first);
  index::OccurrenceBatch by_row = rows_search_.locate(rows, max_hits);
  const auto numbers = std::span(ambiguous_number_).subspan(first, last - first);
  if (std::all_of(numbers.begin(), numbers.end(), [](std::uint64_t number) { return number == by_rows; }))
    return by_row;
  index::OccurrenceBatch all;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == by_rows) {
      all.hits.insert(all.hits.end(), by_row.hits.begin() + static_cast<std::ptrdiff_t>(by_row.offsets[i]),
                      by_row.hits.begin() + static_cast<std::ptrdiff_t>(by_row.offsets[i + 1]));
    } else {
      for (const Occurrence& hit : ambiguous_search_->locate(numbers[i], {false, max_hits}).hits) {
        all.hits.emplace_back(hit.begin, hit.reverse);
      }
    }
    all.offsets.push_back(all.hits.size());
  }
  return all;
}

}  // namespace warpseed::approximate
