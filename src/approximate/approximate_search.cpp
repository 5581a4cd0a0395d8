#include "approximate/approximate_search.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpseed::approximate {

namespace {

/// Drops the ends with more differences than the fewest of both strands.
void keep_fewest(std::vector<AlignmentEnd>& forward, std::vector<AlignmentEnd>& reverse) {
  std::uint32_t fewest = max_differences + 1;
  for (const auto* ends : {&forward, &reverse}) {
    for (const AlignmentEnd& end : *ends) fewest = std::min(fewest, end.differences);
  }
  for (auto* ends : {&forward, &reverse}) {
    std::erase_if(*ends, [&](const AlignmentEnd& end) { return end.differences > fewest; });
  }
}

SearchedText searched_text(const Target& target) {
  return {target.genome.text.size, target.fm.kmer_length};
}

}  // namespace

ApproximateSearch::ApproximateSearch(const Target& target, const Backend& backend, const SearchOptions& options)
    : target_(target),
      options_(options),
      threads_(backend.threads),
      planner_(searched_text(target), options),
      search_(make_end_search(target_, backend, options)) {}

void ApproximateSearch::find(const SetBatch& patterns) {
  batch_ = prepare(patterns, planner_, options_.strands, threads_);
  ends_ = search_->find(batch_);
}

std::vector<AlignmentEnd> ApproximateSearch::ends_of(std::uint64_t strand_pattern) const {
  const auto first = ends_.ends.begin();
  std::vector<AlignmentEnd> ends(first + static_cast<std::ptrdiff_t>(ends_.offsets[strand_pattern]),
                                 first + static_cast<std::ptrdiff_t>(ends_.offsets[strand_pattern + 1]));
  if (options_.metric == Metric::edits) keep_local_best(target_.genome, ends, options_.differences);
  return ends;
}

Counts ApproximateSearch::count(std::uint64_t i, const Selection& selection) const {
  std::vector<AlignmentEnd> forward = ends_of(2 * i), reverse = ends_of(2 * i + 1);
  if (selection.best_only) keep_fewest(forward, reverse);
  Counts counts = {forward.size(), reverse.size(), std::vector<std::uint64_t>(options_.differences + 1)};
  for (const auto* ends : {&forward, &reverse}) {
    for (const AlignmentEnd& end : *ends) ++counts.by_differences[end.differences];
  }
  return counts;
}

Located ApproximateSearch::locate(std::uint64_t i, const Selection& selection) const {
  std::vector<AlignmentEnd> forward = ends_of(2 * i), reverse = ends_of(2 * i + 1);
  if (selection.best_only) keep_fewest(forward, reverse);
  Located located;
  located.total = forward.size() + reverse.size();
  for (const AlignmentEnd& end : forward) located.hits.push_back(occurrence(2 * i, end));
  for (const AlignmentEnd& end : reverse) located.hits.push_back(occurrence(2 * i + 1, end));
  std::sort(located.hits.begin(), located.hits.end());
  if (located.total > selection.max_hits) {
    std::stable_sort(located.hits.begin(), located.hits.end(),
                     [](const Occurrence& a, const Occurrence& b) { return a.differences < b.differences; });
    located.hits.resize(selection.max_hits);
    std::sort(located.hits.begin(), located.hits.end());
  }
  return located;
}

Occurrence ApproximateSearch::occurrence(std::uint64_t strand_pattern, const AlignmentEnd& end) const {
  const text::PackedView& text = target_.genome.text;
  const PatternView pattern = batch_.view().pattern(strand_pattern);
  const TextPos text_begin = target_.genome.segments[text::segment_at(target_.genome, end.end - 1)].text_begin;
  Alignment alignment = options_.metric == Metric::mismatches
                            ? align_ungapped(text, pattern, end.end)
                            : align_to_end(text, pattern, end.end, text_begin, end.differences);
  return {alignment.begin, strand_pattern % 2 == 1, alignment.end, end.differences, std::move(alignment.operations)};
}

}  // namespace warpseed::approximate
