// Sorts numbers by their high bits: radix from the highest digit on, short lists by counting.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpseed::suffix {

/// Sorts within a core's cache: [words, words + count) by the bits from `low` to below `high`; the bits above are equal
/// in all of them. All words are different; those that agree in these bits are left in any order that depends on the
/// input alone.
/// scratch: as many words; count: below 2^32.
template <class Word>
class WordSort {
 public:
  static void sort(Word* words, Word* scratch, std::uint64_t count, unsigned low, unsigned high) {
    WordSort(low).run(words, scratch, words, count, high);
  }

 private:
  static constexpr std::uint64_t few = 24;      // sorted by insertion
  static constexpr unsigned most_bits = 10;     // of a digit: 1024 counters of 4 bytes fit the first-level cache
  static constexpr unsigned expected_bits = 2;  // about 4 words for each value of a digit

  explicit WordSort(unsigned low) : low_(low) {}

  /// home: `from` or `to`, where the sorted words are to be.
  void run(Word* from, Word* to, Word* home, std::uint64_t count, unsigned high) const {
    if (count <= few || high == low_) return finish(from, home, count);
    const unsigned wanted = static_cast<unsigned>(std::bit_width(count)) - expected_bits;
    const unsigned digit_bits = std::min({wanted, most_bits, high - low_}), shift = high - digit_bits;
    std::uint32_t ends[1U << most_bits];
    distribute(from, to, count, shift, digit_bits, ends);
    std::uint64_t begin = 0;
    for (unsigned digit = 0; digit < 1U << digit_bits; ++digit) {
      const std::uint64_t end = ends[digit];
      if (end > begin) run(to + begin, from + begin, home + begin, end - begin, shift);
      begin = end;
    }
  }

  /// Afterwards ends[d] is the number of words with a digit of at most d.
  static void distribute(const Word* from, Word* to, std::uint64_t count, unsigned shift, unsigned digit_bits,
                         std::uint32_t* ends) {
    const unsigned digits = 1U << digit_bits;
    const auto digit = [&](Word word) { return static_cast<unsigned>(word >> shift) & (digits - 1); };
    std::fill(ends, ends + digits, 0);
    for (std::uint64_t i = 0; i < count; ++i) ++ends[digit(from[i])];
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < digits; ++i) {
      const std::uint32_t begin = sum;
      sum += ends[i];
      ends[i] = begin;
    }
    for (std::uint64_t i = 0; i < count; ++i) to[ends[digit(from[i])]++] = from[i];
  }

  static void finish(const Word* from, Word* home, std::uint64_t count) {
    if (count > few) {
      if (from != home) std::copy(from, from + count, home);
      return;
    }
    Word sorted[few];  // without branches, which would be mispredicted
    for (std::uint64_t i = 0; i < count; ++i) {
      unsigned smaller = 0;
      for (std::uint64_t j = 0; j < count; ++j) smaller += from[j] < from[i];
      sorted[smaller] = from[i];
    }
    for (std::uint64_t i = 0; i < count; ++i) home[i] = sorted[i];
  }

  unsigned low_;
};

}  // namespace warpseed::suffix
