#include "approximate/pattern_batch.hpp"

#include <algorithm>

#include "core/bits.hpp"
#include "core/parallel.hpp"

namespace warpseed::approximate {

namespace {

constexpr std::uint64_t patterns_each = 256;  // for a thread

void write_masks(std::span<const text::BaseSet> pattern, std::uint64_t* masks) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    for (unsigned set = pattern[i]; set != 0; set &= set - 1) {
      masks[4 * (i / 32) + trailing_zeros(set)] |= std::uint64_t{1} << (62 - 2 * (i % 32));
    }
  }
}

void write_bit_vectors(std::span<const text::BaseSet> pattern, std::uint64_t* words) {
  const auto length = static_cast<std::uint32_t>(pattern.size());
  const std::uint32_t stride = PatternView::vector_words(length);
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t right = 64 + i, left = 64 + length - 1 - i;  // the first word is zero
    for (unsigned set = pattern[i]; set != 0; set &= set - 1) {
      const unsigned base = trailing_zeros(set);
      words[base * stride + right / 64] |= std::uint64_t{1} << right % 64;
      words[(4 + base) * stride + left / 64] |= std::uint64_t{1} << left % 64;
    }
  }
}

bool is_single(text::BaseSet set) {
  return text::set_size(set) == 1;
}

void write_packed(std::span<const text::BaseSet> pattern, std::uint64_t* packed, std::uint64_t* ambiguous) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::size_t at = PatternView::packed_begin + i, shift = 62 - 2 * (at % 32);
    if (is_single(pattern[i])) {
      packed[at / 32] |= std::uint64_t{trailing_zeros(pattern[i])} << shift;
    } else {
      ambiguous[at / 32] |= std::uint64_t{1} << shift;
    }
  }
}

/// Prepares a batch in two passes: where everything of a pattern is, by one thread, then what it is, by all.
class Preparation {
 public:
  Preparation(const SetBatch& patterns, SearchPlanner& planner)
      : patterns_(patterns), planner_(planner), options_(planner.options()) {}

  StrandBatch run(int threads) {
    batch_.exact_begin = options_.exact_begin, batch_.exact_end = options_.exact_end;
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
    batch_.patterns.reserve(2 * patterns_.count());
    for (std::uint64_t i = 0; i < 2 * patterns_.count(); ++i) {
      const bool reverse = i % 2 == 1, searched = options_.strands != (reverse ? Strands::forward : Strands::reverse);
      const std::span<const text::BaseSet> pattern = patterns_[i / 2].first(searched ? patterns_[i / 2].size() : 0);
      const auto length = static_cast<std::uint32_t>(pattern.size());
      static const SearchPlan none;
      const SearchPlan& plan = pattern.empty() ? none : planner_.plan(pattern, reverse);
      plans_.push_back(&plan);
      batch_.patterns.push_back(
          {sets, words, length, parts, static_cast<std::uint32_t>(plan.parts.size()), plan.may_give_up});
      batch_.expected_steps += plan.steps;
      sets += length, words += words_of(length), parts += static_cast<std::uint32_t>(plan.parts.size());
    }
    batch_.sets.resize(sets);
    batch_.words.resize(words);
    batch_.parts.resize(parts);
    batch_.pattern_of.resize(parts);
  }

  std::uint64_t words_of(std::uint32_t length) const {
    if (length == 0) return 0;
    return options_.metric == Metric::edits ? PatternView::words_with_edits(length)
                                            : PatternView::words_with_mismatches(length);
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
    at.single = std::ranges::all_of(sets, is_single);
    write_words(sets, batch_.words.data() + at.first_word);
    std::ranges::copy(plans_[i]->parts, batch_.parts.begin() + at.first_part);
    std::fill_n(batch_.pattern_of.begin() + at.first_part, at.part_count, static_cast<std::uint32_t>(i));
  }

  void write_words(std::span<const text::BaseSet> pattern, std::uint64_t* words) const {
    if (options_.metric == Metric::mismatches) return write_masks(pattern, words);
    const auto length = static_cast<std::uint32_t>(pattern.size());
    std::uint64_t* const packed = words + std::uint64_t{8} * PatternView::vector_words(length);
    write_bit_vectors(pattern, words);
    write_packed(pattern, packed, packed + PatternView::packed_words(length));
  }

  const SetBatch& patterns_;
  SearchPlanner& planner_;
  SearchOptions options_;
  StrandBatch batch_;
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

StrandBatchView StrandBatch::view() const {
  return {std::span(patterns),   std::span(sets), std::span(words), std::span(parts),
          std::span(pattern_of), exact_begin,     exact_end};
}

StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, int threads) {
  return Preparation(patterns, planner).run(threads);
}

}  // namespace warpseed::approximate
