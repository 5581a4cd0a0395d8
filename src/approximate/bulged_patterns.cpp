#include "approximate/bulged_patterns.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <tuple>

namespace warpseed::approximate {

namespace {

/// An alignment among others of the same pattern and strand.
struct Candidate {
  BulgedEnd at;
  unsigned bulges = 0;
  TextPos anchor = 0;  // where the 3' end of the pattern is, or the 5' end, if that is the one to match

  /// The best ones first.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(a.at.end.differences, a.bulges, a.anchor, a.at.form) <
           std::tie(b.at.end.differences, b.bulges, b.anchor, b.at.form);
  }
};

TextPos distance(TextPos a, TextPos b) {
  return a < b ? b - a : a - b;
}

/// Keeps the first of each anchor, and of those with bulges the ones with no kept anchor near.
std::vector<BulgedEnd> kept_of(std::vector<Candidate> candidates, unsigned near) {
  std::sort(candidates.begin(), candidates.end());
  std::set<TextPos> kept_anchors;
  std::vector<BulgedEnd> kept;
  for (const Candidate& candidate : candidates) {
    const TextPos within = candidate.bulges == 0 ? 0 : near;
    const auto next = kept_anchors.lower_bound(candidate.anchor);
    if (next != kept_anchors.end() && distance(*next, candidate.anchor) <= within) continue;
    if (next != kept_anchors.begin() && distance(*std::prev(next), candidate.anchor) <= within) continue;
    kept_anchors.insert(next, candidate.anchor);
    kept.push_back(candidate.at);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

SetBatch BulgedPatterns::in_all_forms(const SetBatch& patterns) {
  SetBatch all;
  forms_of_.clear(), lengths_.clear(), firsts_ = {0};
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    const std::span<const text::BaseSet> pattern = patterns[i];
    forms_of_.push_back(forms_for(pattern.size()));
    const std::uint32_t first = pattern.empty() ? 0 : options_.exact_begin;
    for (const BulgeForm& form : *forms_of_[i]) all.add(with_bulges(pattern, first, form));
    lengths_.push_back(pattern.size());
    firsts_.push_back(all.count());
  }
  return all;
}

const std::vector<BulgeForm>* BulgedPatterns::forms_for(std::uint64_t pattern_length) {
  std::vector<BulgeForm>& forms = forms_[pattern_length];
  if (!forms.empty()) return &forms;
  const std::uint64_t exact = options_.exact_begin + options_.exact_end;
  if (pattern_length == 0) {
    forms = {""};
  } else if (pattern_length <= exact + options_.differences + 2 * options_.bulges) {
    throw std::invalid_argument("in_all_forms: a pattern must have more bases than differences and twice the bulges");
  } else {
    forms = bulge_forms(static_cast<std::uint32_t>(pattern_length - exact), options_.bulges);
  }
  return &forms;
}

std::string BulgedPatterns::with_gaps(const std::string& ungapped, std::uint64_t i, bool reverse,
                                      std::uint32_t form) const {
  std::string gaps = (*forms_of_[i])[form];
  if (reverse) std::reverse(gaps.begin(), gaps.end());
  const std::uint32_t exact_left = reverse ? options_.exact_end : options_.exact_begin;
  std::string operations = ungapped.substr(0, exact_left);
  std::size_t at = exact_left;
  for (const char gap : gaps) {
    operations += gap == '=' ? ungapped[at] : gap;
    at += gap == 'I' ? 0 : 1;
  }
  return operations + ungapped.substr(at);
}

std::vector<BulgedEnd> BulgedPatterns::best_of(std::uint64_t i, bool reverse,
                                               std::span<const std::span<const AlignmentEnd>> ends) const {
  const bool anchor_at_end = reverse == (options_.exact_begin > options_.exact_end);
  std::vector<Candidate> candidates;
  for (std::uint32_t form = 0; form < ends.size(); ++form) {
    const BulgeForm& gaps = (*forms_of_[i])[form];
    const unsigned bulges = bulges_of(gaps);
    const auto inserted = static_cast<std::uint64_t>(std::count(gaps.begin(), gaps.end(), 'D'));
    const std::uint64_t text_length = lengths_[i] + 2 * inserted - bulges;
    for (const AlignmentEnd& end : ends[form]) {
      const TextPos anchor = anchor_at_end ? end.end : end.end - text_length;
      candidates.push_back({{{end.end, end.differences + bulges}, form}, bulges, anchor});
    }
  }
  return kept_of(std::move(candidates), options_.bulges);
}

}  // namespace warpseed::approximate
