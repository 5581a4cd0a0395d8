// Patterns prepared for a search: both strands, their bit vectors and the parts that searches begin with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "approximate/pattern_core.hpp"
#include "approximate/search_plan.hpp"
#include "approximate/verify_core.hpp"
#include "core/zero_pages.hpp"

namespace warpseed::approximate {

/// Concatenated patterns of IUPAC codes as sets of bases.
struct SetBatch {
  std::vector<text::BaseSet> sets;           // [total length]
  std::vector<std::uint64_t> offsets = {0};  // [count + 1] pattern i is sets[offsets[i], offsets[i+1])

  std::uint64_t count() const { return offsets.size() - 1; }
  std::span<const text::BaseSet> operator[](std::uint64_t i) const {
    return {sets.data() + offsets[i], sets.data() + offsets[i + 1]};
  }
  void add(std::span<const text::BaseSet> pattern);
  void add_iupac(std::string_view pattern);
};

/// A pattern on one strand within a StrandBatch.
struct StrandPattern {
  std::uint64_t first_set = 0, first_word = 0;
  std::uint32_t length = 0;
  std::uint32_t first_part = 0, part_count = 0;    // several patterns may have the same parts
  std::uint32_t give_up_rows = SearchPlan::never;  // as in SearchPlan
  bool single = false;                             // each code is a single base
};

/// Where to find what belongs to the nodes of a search; owns nothing, passed to kernels by value.
struct StrandBatchView {
  View<StrandPattern> patterns;
  View<text::BaseSet> sets;
  View<std::uint64_t> words;
  View<Part> parts;
  std::uint32_t exact_begin = 0, exact_end = 0;  // as in SearchOptions

  WS_HD PatternView pattern(std::uint64_t i) const {
    const StrandPattern& p = patterns[i];
    const bool reverse = i % 2 == 1;
    return {strand_sets(i),
            words.size > 0 ? words.data + p.first_word : nullptr,
            p.length,
            reverse ? exact_end : exact_begin,
            reverse ? exact_begin : exact_end,
            p.single};
  }
  WS_HD text::StrandSets strand_sets(std::uint64_t i) const {
    return {sets.data + patterns[i].first_set, patterns[i].length, i % 2 == 1};
  }
  WS_HD PartsView parts_of(std::uint64_t i) const {
    return {parts.data + patterns[i].first_part, patterns[i].part_count};
  }
};

/// Patterns 2i and 2i + 1 are the i-th pattern of a SetBatch and its reverse complement; one whose strand is not
/// searched, or which is empty, has no parts. Both strands share the pattern's sets, and patterns with the same plan its
/// parts. The patterns' words are written by the backend that reads them.
/// Memory: a byte for each base of the patterns.
struct StrandBatch {
  Metric metric = Metric::mismatches;
  std::vector<StrandPattern> patterns;
  ZeroedArray<text::BaseSet> sets;
  std::vector<Part> parts;                       // of all plans
  std::uint32_t exact_begin = 0, exact_end = 0;  // as in SearchOptions
  double expected_steps = 0;                     // of the searches of all parts

  std::uint64_t words = 0;  // of all patterns

  /// pattern_words: [words], as write_words() writes them; without them the patterns have none.
  StrandBatchView view(std::span<const std::uint64_t> pattern_words = {}) const;
};

/// Writes the words of all patterns, whose number is the array's new size. Memory: 4 bytes for each base, with edits 21.
void write_words(const StrandBatch& batch, int threads, ZeroedArray<std::uint64_t>& words);

/// A pattern of a batch with its words.
class PatternWithWords {
 public:
  /// i: of the batch, which must outlive it.
  PatternWithWords(const StrandBatch& batch, std::uint64_t i);
  PatternWithWords(const PatternWithWords&) = delete;
  PatternWithWords& operator=(const PatternWithWords&) = delete;

  const PatternView& view() const { return view_; }

 private:
  std::vector<std::uint64_t> words_;
  PatternView view_;
};

/// The result is the same for any number of threads. used: a batch that is no longer needed, whose memory is taken.
/// Throws std::invalid_argument for a pattern that is not empty and that the planner refuses.
StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, int threads, StrandBatch used = {});

}  // namespace warpseed::approximate
