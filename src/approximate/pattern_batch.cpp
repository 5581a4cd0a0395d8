#include "approximate/pattern_batch.hpp"

#include <algorithm>

#include "core/bits.hpp"
#include "core/parallel.hpp"

namespace warpseed::approximate {

namespace {

constexpr std::uint64_t patterns_each = 256;  // for a thread

/// Writes the words that PatternView describes.
void write_words(std::span<const text::BaseSet> pattern, std::span<std::uint64_t> words) {
  const auto length = static_cast<std::uint32_t>(pattern.size());
  const std::uint32_t stride = PatternView::vector_words(length);
  const std::span<std::uint64_t> masks = words.subspan(std::size_t{8} * stride);
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t right = 64 + i, left = 64 + length - 1 - i;  // the first word is zero
    for (unsigned set = pattern[i]; set != 0; set &= set - 1) {
      const unsigned base = trailing_zeros(set);
      words[base * stride + right / 64] |= std::uint64_t{1} << right % 64;
      words[(4 + base) * stride + left / 64] |= std::uint64_t{1} << left % 64;
      masks[4 * (i / 32) + base] |= std::uint64_t{1} << (62 - 2 * (i % 32));
    }
  }
}

void write_reverse_complement(std::span<const text::BaseSet> pattern, std::span<text::BaseSet> result) {
  std::transform(pattern.rbegin(), pattern.rend(), result.begin(), text::complement_set);
}

/// Adds a pattern on one strand, but for its bases and words.
void add_strand(StrandBatch& batch, std::uint32_t length, std::span<const Part> parts) {
  batch.patterns.push_back({batch.sets.size(), batch.words.size(), length,
                            static_cast<std::uint32_t>(batch.parts.size()), static_cast<std::uint32_t>(parts.size())});
  if (length == 0) return;
  batch.sets.resize(batch.sets.size() + length);
  batch.words.resize(batch.words.size() + PatternView::words_of(length));
  batch.parts.insert(batch.parts.end(), parts.begin(), parts.end());
  batch.pattern_of.resize(batch.parts.size(), static_cast<std::uint32_t>(batch.patterns.size() - 1));
}

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
  const SearchOptions& options = planner.options();
  StrandBatch batch;
  batch.exact_begin = options.exact_begin, batch.exact_end = options.exact_end;
  batch.patterns.reserve(2 * patterns.count());
  std::vector<text::BaseSet> reversed;
  const auto add = [&](std::span<const text::BaseSet> pattern, bool reverse) {
    static const SearchPlan none;
    const SearchPlan& plan = pattern.empty() ? none : planner.plan(pattern, reverse);
    add_strand(batch, static_cast<std::uint32_t>(pattern.size()), plan.parts);
    batch.expected_steps += plan.steps;
  };
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    add(options.strands == Strands::reverse ? patterns[i].first(0) : patterns[i], false);
    reversed.resize(options.strands == Strands::forward ? 0 : patterns[i].size());
    if (!reversed.empty()) write_reverse_complement(patterns[i], reversed);
    add(reversed, true);
  }
  for_blocks(threads, batch.patterns.size(), patterns_each, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const StrandPattern& pattern = batch.patterns[i];
      if (pattern.length == 0) continue;
      const std::span<text::BaseSet> sets = std::span(batch.sets).subspan(pattern.first_set, pattern.length);
      if (i % 2 == 0) {
        std::ranges::copy(patterns[i / 2], sets.begin());
      } else {
        write_reverse_complement(patterns[i / 2], sets);
      }
      write_words(sets, std::span(batch.words).subspan(pattern.first_word));
    }
  });
  return batch;
}

}  // namespace warpseed::approximate
