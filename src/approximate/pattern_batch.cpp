#include "approximate/pattern_batch.hpp"

#include <algorithm>

#include "approximate/pattern_words_core.hpp"
#include "core/parallel.hpp"

namespace warpseed::approximate {

namespace {

constexpr std::uint64_t patterns_each = 256;  // for a thread

/// Is each code a single base? Without a branch, so that compilers vectorise it.
bool all_single(std::span<const text::BaseSet> pattern) {
  unsigned others = 0;
  for (const text::BaseSet set : pattern) others |= static_cast<unsigned>(set == 0) | (set & (set - 1U));
  return others == 0;
}

/// The parts of the plans that the patterns of a batch have, each plan's once for each strand.
class PlanParts {
 public:
  explicit PlanParts(std::vector<Part>& parts) : parts_(parts) { parts_.clear(); }

  /// The index of a plan's first part. shift: where in the pattern the plan begins.
  std::uint32_t first_of(const SearchPlan& plan, bool reverse, std::uint32_t shift) {
    std::vector<std::uint32_t>& firsts = firsts_[reverse];
    if (firsts.size() <= plan.number) firsts.resize(plan.number + 1, not_added);
    if (firsts[plan.number] == not_added) {
      firsts[plan.number] = static_cast<std::uint32_t>(parts_.size());
      std::ranges::transform(plan.parts, std::back_inserter(parts_), [&](const Part& part) {
        return Part{part.begin + shift, part.end + shift, part.budget, part.left_budget, shift};
      });
    }
    return firsts[plan.number];
  }

 private:
  static constexpr std::uint32_t not_added = ~std::uint32_t{0};

  std::vector<Part>& parts_;
  std::vector<std::uint32_t> firsts_[2];  // by strand and number of the plan
};

/// Prepares a batch: the plans by one thread, the rest by all.
class Preparation {
 public:
  Preparation(const SetBatch& patterns, SearchPlanner& planner, StrandBatch used)
      : patterns_(patterns),
        planner_(planner),
        options_(planner.options()),
        batch_(std::move(used)),
        parts_(batch_.parts) {}

  StrandBatch run(int threads) {
    batch_.metric = options_.metric;
    batch_.exact_begin = options_.exact_begin, batch_.exact_end = options_.exact_end;
    batch_.words = 0, batch_.expected_steps = 0;
    batch_.sets.clear();  // what the batch before had is not to be copied
    batch_.sets.resize(patterns_.sets.size());
    batch_.patterns.assign(2 * patterns_.count(), {});
    for_blocks(threads, patterns_.count(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
      const auto offset = [&](std::uint64_t i) { return static_cast<std::ptrdiff_t>(patterns_.offsets[i]); };
      std::copy(patterns_.sets.begin() + offset(begin), patterns_.sets.begin() + offset(end),
                batch_.sets.begin() + offset(begin));
      for (std::uint64_t i = begin; i < end; ++i) {
        batch_.patterns[2 * i].single = batch_.patterns[2 * i + 1].single = all_single(patterns_[i]);
      }
    });
    for (std::uint64_t i = 0; i < batch_.patterns.size(); ++i) plan(i);
    return std::move(batch_);
  }

 private:
  void plan(std::uint64_t i) {
    const bool reverse = i % 2 == 1, searched = options_.strands != (reverse ? Strands::forward : Strands::reverse);
    const std::span<const text::BaseSet> pattern = patterns_[i / 2];
    if (pattern.empty() || !searched) return;
    StrandPattern& at = batch_.patterns[i];
    const SearchPlan& plan = at.single ? planner_.plan_of_single(pattern, reverse) : planner_.plan(pattern, reverse);
    at.first_set = patterns_.offsets[i / 2], at.first_word = batch_.words;
    at.length = static_cast<std::uint32_t>(pattern.size());
    const bool divides_all = options_.metric == Metric::mismatches;
    at.first_part = parts_.first_of(plan, reverse, divides_all ? 0 : batch_.view().pattern(i).exact_left);
    at.part_count = static_cast<std::uint32_t>(plan.parts.size());
    at.give_up_rows = plan.give_up_rows;
    batch_.words += word_count(options_.metric, at.length);
    batch_.expected_steps += plan.steps;
  }

  const SetBatch& patterns_;
  SearchPlanner& planner_;
  SearchOptions options_;
  StrandBatch batch_;
  PlanParts parts_;
};

}  // namespace

void SetBatch::add(std::span<const text::BaseSet> pattern) {
  sets.insert(sets.end(), pattern.begin(), pattern.end());
  offsets.push_back(sets.size());
}

void SetBatch::add_iupac(std::string_view pattern) {
  for (const char letter : pattern) sets.push_back(text::set_of_letter(letter));
  offsets.push_back(sets.size());
}

StrandBatchView StrandBatch::view(std::span<const std::uint64_t> pattern_words) const {
  return {std::span(patterns), std::span(sets), pattern_words, std::span(parts), exact_begin, exact_end};
}

void write_words(const StrandBatch& batch, int threads, ZeroedArray<std::uint64_t>& words) {
  words.clear();  // so that what the array had is not copied
  words.resize(batch.words);
  const StrandBatchView view = batch.view();
  for_blocks(threads, batch.patterns.size(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      write_words(batch.metric, view.strand_sets(i), words.data() + batch.patterns[i].first_word);
    }
  });
}

PatternWithWords::PatternWithWords(const StrandBatch& batch, std::uint64_t i) : view_(batch.view().pattern(i)) {
  words_.resize(word_count(batch.metric, view_.length));
  write_words(batch.metric, view_.sets, words_.data());
  view_.words = words_.data();
}

StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, int threads, StrandBatch used) {
  return Preparation(patterns, planner, std::move(used)).run(threads);
}

}  // namespace warpseed::approximate
