#include "approximate/approximate_search.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>

namespace warpseed::approximate {

namespace {

/// Drops the ends with more differences than the fewest of both strands.
void keep_fewest(std::vector<BulgedEnd>& forward, std::vector<BulgedEnd>& reverse) {
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  for (const auto* ends : {&forward, &reverse}) {
    for (const BulgedEnd& each : *ends) fewest = std::min(fewest, each.end.differences);
  }
  for (auto* ends : {&forward, &reverse}) {
    std::erase_if(*ends, [&](const BulgedEnd& each) { return each.end.differences > fewest; });
  }
}

/// Of a large repeat this share of the text is a copy. Each copy of a pattern costs little, but parts are to be long where
/// the rest of the model would not care, so a few are assumed in any case.
constexpr double repeat_share = 1e-4, few_copies = 10;

SearchedText searched_text(const Target& target, bool of_repeats) {
  const double copies = static_cast<double>(target.genome.text.size) * repeat_share;
  return {target.genome.text.size, target.fm.kmer_length, of_repeats ? copies : std::min(copies, few_copies)};
}

/// Gives `patterns` of a batch, both strands of each, the ends that `better` has for them.
void replace_ends(EndBatch& batch, std::span<const std::uint64_t> patterns, EndBatch better) {
  for (std::size_t i = 0; i < better.of_patterns.size(); ++i) {
    batch.of_patterns[2 * patterns[i / 2] + i % 2] = better.of_patterns[i];
  }
  std::ranges::move(better.ends, std::back_inserter(batch.ends));
}

}  // namespace

ApproximateSearch::ApproximateSearch(const Target& target, const Backend& backend, const SearchOptions& options)
    : target_(target),
      options_(options),
      threads_(backend.threads),
      for_repeats_(searched_text(target, true), options),
      planner_(searched_text(target, false), options, &for_repeats_),
      search_(make_end_search(target_, backend, options)) {
  if (options.bulges > max_bulges) throw std::invalid_argument("ApproximateSearch: too many bulges");
  if (options.bulges > 0) bulged_.emplace(options);
}

void ApproximateSearch::find(const SetBatch& patterns) {
  const SetBatch forms = bulged_ ? bulged_->in_all_forms(patterns) : SetBatch{};
  const SetBatch& searched = bulged_ ? forms : patterns;
  batch_ = prepare(searched, planner_, threads_, std::move(batch_));
  ends_ = search_->find(batch_);
  if (!ends_.given_up.empty()) search_again(searched);
}

/// Searches for the patterns that were given up, with parts that suit repeats.
void ApproximateSearch::search_again(const SetBatch& patterns) {
  std::vector<std::uint64_t> numbers;
  SetBatch repeats;
  for (const std::uint32_t strand_pattern : ends_.given_up) {
    if (!numbers.empty() && numbers.back() == strand_pattern / 2) continue;
    numbers.push_back(strand_pattern / 2);
    repeats.add(patterns[strand_pattern / 2]);
  }
  replace_ends(ends_, numbers, search_->find(prepare(repeats, for_repeats_, threads_)));
}

std::uint64_t ApproximateSearch::ends_found() const {
  std::uint64_t sum = 0;
  for (const auto& ends : ends_.of_patterns) sum += ends.size();
  return sum;
}

std::vector<BulgedEnd> ApproximateSearch::ends_of(std::uint64_t i, bool reverse) const {
  const auto found = [&](std::uint64_t searched) { return ends_.of_patterns[2 * searched + reverse]; };
  if (bulged_) {
    std::vector<std::span<const AlignmentEnd>> of_forms;
    for (std::uint64_t searched = bulged_->first(i); searched < bulged_->first(i + 1); ++searched) {
      of_forms.push_back(found(searched));
    }
    return bulged_->best_of(i, reverse, of_forms);
  }
  std::vector<AlignmentEnd> ends(found(i).begin(), found(i).end());
  if (options_.metric == Metric::edits) keep_local_best(target_.genome, ends, options_.differences);
  std::vector<BulgedEnd> result;
  for (const AlignmentEnd& end : ends) result.push_back({end});
  return result;
}

Counts ApproximateSearch::count(std::uint64_t i, const Selection& selection) const {
  std::vector<BulgedEnd> forward = ends_of(i, false), reverse = ends_of(i, true);
  if (selection.best_only) keep_fewest(forward, reverse);
  Counts counts = {forward.size(), reverse.size(),
                   std::vector<std::uint64_t>(options_.differences + options_.bulges + 1)};
  for (const auto* ends : {&forward, &reverse}) {
    for (const BulgedEnd& each : *ends) ++counts.by_differences[each.end.differences];
  }
  return counts;
}

Located ApproximateSearch::locate(std::uint64_t i, const Selection& selection) const {
  std::vector<BulgedEnd> forward = ends_of(i, false), reverse = ends_of(i, true);
  if (selection.best_only) keep_fewest(forward, reverse);
  Located located;
  located.total = forward.size() + reverse.size();
  add_occurrences(i, false, forward, located.hits);
  add_occurrences(i, true, reverse, located.hits);
  std::sort(located.hits.begin(), located.hits.end());
  if (located.total > selection.max_hits) {
    std::stable_sort(located.hits.begin(), located.hits.end(),
                     [](const Occurrence& a, const Occurrence& b) { return a.differences < b.differences; });
    located.hits.resize(selection.max_hits);
    std::sort(located.hits.begin(), located.hits.end());
  }
  return located;
}

void ApproximateSearch::add_occurrences(std::uint64_t i, bool reverse, std::span<const BulgedEnd> ends,
                                        std::vector<Occurrence>& hits) const {
  const text::PackedView& text = target_.genome.text;
  std::optional<PatternWithWords> pattern;  // with edits, where there are no bulges
  if (options_.metric == Metric::edits && !ends.empty()) pattern.emplace(batch_, 2 * i + reverse);
  for (const BulgedEnd& at : ends) {
    const auto [end, differences] = at.end;
    const TextPos text_begin = target_.genome.segments[text::segment_at(target_.genome, end - 1)].text_begin;
    const std::uint64_t form = bulged_ ? bulged_->first(i) + at.form : i;
    Alignment alignment = pattern ? align_to_end(text, pattern->view(), end, text_begin, differences)
                                  : align_ungapped(text, batch_.view().pattern(2 * form + reverse), end);
    if (bulged_) alignment.operations = bulged_->with_gaps(alignment.operations, i, reverse, at.form);
    hits.push_back({alignment.begin, reverse, alignment.end, differences, std::move(alignment.operations)});
  }
}

}  // namespace warpseed::approximate
