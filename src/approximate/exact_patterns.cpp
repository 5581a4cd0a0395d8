#include "approximate/exact_patterns.hpp"

#include <algorithm>
#include <span>

#include "approximate/trie_core.hpp"
#include "text/alphabet.hpp"

namespace warpseed::approximate {

namespace {

bool has_other_letters(std::span<const text::BaseSet> pattern) {
  return std::any_of(pattern.begin(), pattern.end(), [](text::BaseSet set) { return code_of_set(set) > 3; });
}

}  // namespace

ExactPatterns::ExactPatterns(const Target& target, const Backend& backend, Strands strands)
    : target_(target), backend_(backend), strands_(strands), rows_search_(target.fm, backend, strands) {}

void ExactPatterns::find(const SetBatch& patterns) {
  index::PatternBatch codes;
  SetBatch with_letters;
  codes.codes.reserve(patterns.sets.size());
  for (const text::BaseSet set : patterns.sets) codes.codes.push_back(static_cast<std::uint8_t>(code_of_set(set)));
  codes.offsets = patterns.offsets;  // a set of several bases has code_n, which occurs nowhere
  letters_number_.assign(patterns.count(), by_rows);
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    if (!has_other_letters(patterns[i])) continue;
    letters_number_[i] = with_letters.count();
    with_letters.add(patterns[i]);
  }
  rows_ = rows_search_.find(codes);
  if (with_letters.count() == 0) return;
  if (!letters_search_) {
    const SearchOptions exact = {Metric::mismatches, 0, strands_};
    letters_search_ = std::make_unique<ApproximateSearch>(target_, backend_, exact);
  }
  letters_search_->find(with_letters);
}

std::vector<ExactPatterns::StrandCounts> ExactPatterns::counts() const {
  std::vector<StrandCounts> counts(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (letters_number_[i] == by_rows) {
      counts[i] = {rows_[i].forward.count(), rows_[i].reverse.count()};
    } else {
      const Counts found = letters_search_->count(letters_number_[i], {});
      counts[i] = {found.forward, found.reverse};
    }
  }
  return counts;
}

index::OccurrenceBatch ExactPatterns::locate(std::uint64_t first, std::uint64_t last, std::uint64_t max_hits) {
  const auto rows = std::span(rows_).subspan(first, last - first);
  index::OccurrenceBatch by_row = rows_search_.locate(rows, max_hits);
  const auto letters = std::span(letters_number_).subspan(first, last - first);
  if (std::all_of(letters.begin(), letters.end(), [](std::uint64_t number) { return number == by_rows; }))
    return by_row;
  index::OccurrenceBatch all;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] == by_rows) {
      all.hits.insert(all.hits.end(), by_row.hits.begin() + static_cast<std::ptrdiff_t>(by_row.offsets[i]),
                      by_row.hits.begin() + static_cast<std::ptrdiff_t>(by_row.offsets[i + 1]));
    } else {
      for (const Occurrence& hit : letters_search_->locate(letters[i], {false, max_hits}).hits) {
        all.hits.emplace_back(hit.begin, hit.reverse);
      }
    }
    all.offsets.push_back(all.hits.size());
  }
  return all;
}

}  // namespace warpseed::approximate
