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

/// Prepares a batch in two passes: where everything of a pattern is, by one thread, then what it is, by all.
class Preparation {
 public:
  Preparation(const SetBatch& patterns, SearchPlanner& planner, StrandBatch used)
      : patterns_(patterns), planner_(planner), options_(planner.options()), batch_(std::move(used)) {}

  StrandBatch run(int threads) {
    batch_.metric = options_.metric;
    batch_.exact_begin = options_.exact_begin, batch_.exact_end = options_.exact_end;
    single_.resize(patterns_.count());
    for_blocks(threads, patterns_.count(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) single_[i] = all_single(patterns_[i]);
    });
    lay_out();
    for_blocks(threads, batch_.patterns.size(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        if (batch_.patterns[i].length > 0) fill(i);
      }
    });
    return std::move(batch_);
  }

 private:
  void lay_out() {
    std::uint64_t sets = 0, words = 0;
    std::uint32_t parts = 0;
    batch_.patterns.clear(), batch_.expected_steps = 0;
    batch_.patterns.reserve(2 * patterns_.count());
    plans_.reserve(2 * patterns_.count());
    for (std::uint64_t i = 0; i < 2 * patterns_.count(); ++i) {
      const bool reverse = i % 2 == 1, searched = options_.strands != (reverse ? Strands::forward : Strands::reverse);
      const std::span<const text::BaseSet> pattern = patterns_[i / 2].first(searched ? patterns_[i / 2].size() : 0);
      const auto length = static_cast<std::uint32_t>(pattern.size());
      static const SearchPlan none;
      const SearchPlan& plan = pattern.empty()  ? none
                               : single_[i / 2] ? planner_.plan_of_single(pattern, reverse)
                                                : planner_.plan(pattern, reverse);
      plans_.push_back(&plan);
      batch_.patterns.push_back(
          {sets, words, length, parts, static_cast<std::uint32_t>(plan.parts.size()), plan.give_up_rows});
      batch_.expected_steps += plan.steps;
      sets += length, words += word_count(options_.metric, length),
          parts += static_cast<std::uint32_t>(plan.parts.size());
    }
    make_room(batch_.sets, sets);
    batch_.words = words;
    make_room(batch_.parts, parts);
    make_room(batch_.pattern_of, parts);
  }

  /// The array may have values of the batch before, which are not to be copied.
  template <class T>
  static void make_room(ZeroedArray<T>& array, std::uint64_t size) {
    array.clear();
    array.resize(size);
  }

  void fill(std::uint64_t i) {
    StrandPattern& at = batch_.patterns[i];
    const std::span<const text::BaseSet> pattern = patterns_[i / 2];
    const std::span<text::BaseSet> sets = std::span(batch_.sets).subspan(at.first_set, at.length);
    if (i % 2 == 0) {
      std::ranges::copy(pattern, sets.begin());
    } else {
      std::transform(pattern.rbegin(), pattern.rend(), sets.begin(), text::complement_set);
    }
    at.single = single_[i / 2];
    const std::uint32_t first = options_.metric == Metric::edits ? batch_.view().pattern(i).exact_left : 0;
    std::ranges::transform(plans_[i]->parts, batch_.parts.begin() + at.first_part, [&](const Part& part) {
      return Part{part.begin + first, part.end + first, part.budget, part.left_budget, first};
    });
    std::fill_n(batch_.pattern_of.begin() + at.first_part, at.part_count, static_cast<std::uint32_t>(i));
  }

  const SetBatch& patterns_;
  SearchPlanner& planner_;
  SearchOptions options_;
  StrandBatch batch_;
  std::vector<std::uint8_t> single_;      // [patterns]
  std::vector<const SearchPlan*> plans_;  // [strand patterns]
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
  return {std::span(patterns),   std::span(sets), pattern_words, std::span(parts),
          std::span(pattern_of), exact_begin,     exact_end};
}

void write_words(const StrandBatch& batch, int threads, ZeroedArray<std::uint64_t>& words) {
  words.clear();  // so that what the array had is not copied
  words.resize(batch.words);
  for_blocks(threads, batch.patterns.size(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const StrandPattern& pattern = batch.patterns[i];
      write_words(batch.metric, batch.sets.data() + pattern.first_set, pattern.length,
                  words.data() + pattern.first_word);
    }
  });
}

PatternWithWords::PatternWithWords(const StrandBatch& batch, std::uint64_t i) : view_(batch.view().pattern(i)) {
  words_.resize(word_count(batch.metric, view_.length));
  write_words(batch.metric, view_.sets, view_.length, words_.data());
  view_.words = words_.data();
}

StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, int threads, StrandBatch used) {
  return Preparation(patterns, planner, std::move(used)).run(threads);
}

}  // namespace warpseed::approximate
