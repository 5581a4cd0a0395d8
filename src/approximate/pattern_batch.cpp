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

/// Bit 8 b + k: is base b in set k of eight?
std::uint32_t transposed(std::uint64_t sets) {
  constexpr std::uint64_t low_bits = 0x0101010101010101, gather = 0x0102040810204080;  // bit 8 k to bit 56 + k
  std::uint32_t result = 0;
  for (unsigned base = 0; base < 4; ++base) {
    result |= static_cast<std::uint32_t>((sets >> base & low_bits) * gather >> 56) << 8 * base;
  }
  return result;
}

/// vectors: one for each base, `stride` words each; set i of the pattern, which begins at `first`, is bit 64 + i.
template <class Iterator>
void write_bit_vectors(Iterator first, std::uint32_t length, std::uint64_t* vectors, std::uint32_t stride) {
  for (std::uint32_t i = 0; i < length; i += 8) {
    std::uint64_t sets = 0;
    for (std::uint32_t k = 0; k < 8; ++k)
      sets |= std::uint64_t{i + k < length ? first[i + k] : text::BaseSet{}} << 8 * k;
    const std::uint32_t bits = transposed(sets);
    for (unsigned base = 0; base < 4; ++base) {
      vectors[base * stride + 1 + i / 64] |= std::uint64_t{bits >> 8 * base & 0xFF} << i % 64;
    }
  }
}

bool is_single(text::BaseSet set) {
  return set != 0 && (set & (set - 1)) == 0;
}

void write_packed(std::span<const text::BaseSet> pattern, std::uint64_t* packed, std::uint64_t* ambiguous) {
  static_assert(PatternView::packed_begin == 32, "the first word is zero");
  for (std::size_t i = 0; i < pattern.size(); i += 32) {
    std::uint64_t bases = 0, others = 0;
    for (std::size_t k = 0; k < 32; ++k) {
      const text::BaseSet set = i + k < pattern.size() ? pattern[i + k] : text::BaseSet{1};
      bases = bases << 2 | (is_single(set) ? trailing_zeros(set) : 0);
      others = others << 2 | !is_single(set);
    }
    packed[1 + i / 32] = bases, ambiguous[1 + i / 32] = others;
  }
}

/// Prepares a batch in two passes: where everything of a pattern is, by one thread, then what it is, by all.
class Preparation {
 public:
  Preparation(const SetBatch& patterns, SearchPlanner& planner, StrandBatch used)
      : patterns_(patterns), planner_(planner), options_(planner.options()), batch_(std::move(used)) {}

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
    batch_.patterns.clear(), batch_.expected_steps = 0;
    batch_.patterns.reserve(2 * patterns_.count());
    plans_.reserve(2 * patterns_.count());
    for (std::uint64_t i = 0; i < 2 * patterns_.count(); ++i) {
      const bool reverse = i % 2 == 1, searched = options_.strands != (reverse ? Strands::forward : Strands::reverse);
      const std::span<const text::BaseSet> pattern = patterns_[i / 2].first(searched ? patterns_[i / 2].size() : 0);
      const auto length = static_cast<std::uint32_t>(pattern.size());
      static const SearchPlan none;
      const SearchPlan& plan = pattern.empty() ? none : planner_.plan(pattern, reverse);
      plans_.push_back(&plan);
      batch_.patterns.push_back(
          {sets, words, length, parts, static_cast<std::uint32_t>(plan.parts.size()), plan.give_up_rows});
      batch_.expected_steps += plan.steps;
      sets += length, words += words_of(length), parts += static_cast<std::uint32_t>(plan.parts.size());
    }
    make_room(batch_.sets, sets);
    make_room(batch_.words, words);
    make_room(batch_.parts, parts);
    make_room(batch_.pattern_of, parts);
  }

  /// The array may have values of the batch before, which are not to be copied.
  template <class T>
  static void make_room(ZeroedArray<T>& array, std::uint64_t size) {
    array.clear();
    array.resize(size);
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
    const std::uint32_t first = options_.metric == Metric::edits ? batch_.view().pattern(i).exact_left : 0;
    std::ranges::transform(plans_[i]->parts, batch_.parts.begin() + at.first_part, [&](const Part& part) {
      return Part{part.begin + first, part.end + first, part.budget, part.left_budget, first};
    });
    std::fill_n(batch_.pattern_of.begin() + at.first_part, at.part_count, static_cast<std::uint32_t>(i));
  }

  void write_words(std::span<const text::BaseSet> pattern, std::uint64_t* words) const {
    std::fill_n(words, words_of(static_cast<std::uint32_t>(pattern.size())), 0);
    if (options_.metric == Metric::mismatches) return write_masks(pattern, words);
    const auto length = static_cast<std::uint32_t>(pattern.size());
    std::uint64_t* const packed = words + std::uint64_t{8} * PatternView::vector_words(length);
    const std::uint32_t stride = PatternView::vector_words(length);
    write_bit_vectors(pattern.begin(), length, words, stride);
    write_bit_vectors(pattern.rbegin(), length, words + 4 * stride, stride);
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

StrandBatch prepare(const SetBatch& patterns, SearchPlanner& planner, int threads, StrandBatch used) {
  return Preparation(patterns, planner, std::move(used)).run(threads);
}

}  // namespace warpseed::approximate
