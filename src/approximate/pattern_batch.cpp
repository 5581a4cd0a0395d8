#include "approximate/pattern_batch.hpp"

#include <algorithm>

namespace warpseed::approximate {

namespace {

/// Writes the words that PatternView describes.
void write_words(std::span<const text::BaseSet> pattern, std::span<std::uint64_t> words) {
  const auto length = static_cast<std::uint32_t>(pattern.size());
  const std::uint32_t stride = PatternView::vector_words(length);
  const std::span<std::uint64_t> masks = words.subspan(std::size_t{8} * stride);
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t right = 64 + i, left = 64 + length - 1 - i;  // the first word is zero
    for (unsigned base = 0; base < 4; ++base) {
      const std::uint64_t bit = pattern[i] >> base & 1;
      words[base * stride + right / 64] |= bit << right % 64;
      words[(4 + base) * stride + left / 64] |= bit << left % 64;
      masks[4 * (i / 32) + base] |= bit << (62 - 2 * (i % 32));
    }
  }
}

std::vector<text::BaseSet> reverse_complement(std::span<const text::BaseSet> pattern) {
  std::vector<text::BaseSet> result(pattern.rbegin(), pattern.rend());
  for (text::BaseSet& set : result) set = text::complement_set(set);
  return result;
}

void add_strand(StrandBatch& batch, std::span<const text::BaseSet> pattern, SearchPlanner& planner) {
  StrandPattern added = {batch.sets.size(), batch.words.size(), static_cast<std::uint32_t>(pattern.size()),
                         static_cast<std::uint32_t>(batch.parts.size()), 0};
  if (!pattern.empty()) {
    batch.sets.insert(batch.sets.end(), pattern.begin(), pattern.end());
    batch.words.resize(batch.words.size() + PatternView::words_of(added.length));
    write_words(pattern, std::span(batch.words).subspan(added.first_word));
    const std::vector<Part>& parts = planner.plan(pattern);
    batch.parts.insert(batch.parts.end(), parts.begin(), parts.end());
    added.part_count = static_cast<std::uint32_t>(parts.size());
    batch.pattern_of.resize(batch.parts.size(), static_cast<std::uint32_t>(batch.patterns.size()));
  }
  batch.patterns.push_back(added);
}

}  // namespace

void SetBatch::add(std::span<const text::BaseSet> pattern) {
  sets.insert(sets.end(), pattern.begin(), pattern.end());
  offsets.push_back(sets.size());
}

StrandBatchView StrandBatch::view() const {
  return {std::span(patterns), std::span(sets), std::span(words), std::span(parts), std::span(pattern_of)};
}

StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, Strands strands) {
  StrandBatch batch;
  batch.patterns.reserve(2 * patterns.count());
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    add_strand(batch, strands == Strands::reverse ? std::span<const text::BaseSet>() : patterns[i], planner);
    add_strand(batch, strands == Strands::forward ? std::vector<text::BaseSet>() : reverse_complement(patterns[i]),
               planner);
  }
  return batch;
}

}  // namespace warpseed::approximate
