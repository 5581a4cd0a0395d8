// A pattern on one strand as bit vectors, shared by both backends.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "text/base_set.hpp"
#include "text/genome_core.hpp"

namespace warpseed::approximate {

/// A stretch of a pattern that a search begins with, and the differences that are allowed.
///
/// The search reads the pattern from `end` to the left, down to `left_end`. The part has at most `budget` differences; the
/// part and all bases to its left together have at most `left_budget`.
struct Part {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t budget = 0, left_budget = 0;
  std::uint32_t left_end = 0;

  WS_HD std::uint32_t length() const { return end - begin; }
  friend bool operator==(const Part&, const Part&) = default;
};

/// Bases of a pattern in the order in which they are read, to the left or to the right of a position.
struct Reading {
  const std::uint64_t* words = nullptr;  // a bit vector for each base, `stride` words each; one word of zeros precedes
  std::uint32_t stride = 0;
  std::uint32_t first = 0;   // bit of the first base that is read
  std::uint32_t length = 0;  // bases to read

  /// Bit j: can the base that is read as number from + j be `base`? 0 before the vector's begin; other bits outside
  /// [0, length) are undefined. -32 <= from <= length.
  WS_HD std::uint32_t bits(unsigned base, std::int32_t from) const {
    const auto at = static_cast<std::uint32_t>(static_cast<std::int32_t>(64 + first) + from);
    const std::uint64_t* word = words + base * stride + at / 64;
    const unsigned shift = at % 64;
    return static_cast<std::uint32_t>(word[0] >> shift | (word[1] << 1) << (63 - shift));
  }
};

/// A pattern on one strand; owns nothing. Its words, in a search with edits: a bit vector for each base over the pattern
/// and one for each over the reversed pattern, then packed() and ambiguous(); in a search with mismatches: masks().
struct PatternView {
  text::StrandSets sets;                 // [length]
  const std::uint64_t* words = nullptr;  // [words_with_edits(length) or words_with_mismatches(length)]
  std::uint32_t length = 0;
  std::uint32_t exact_left = 0, exact_right = 0;  // so many bases on each side are to match
  bool single = false;                            // each code is a single base

  static constexpr std::uint32_t packed_begin = 32;  // of the pattern in packed() and ambiguous()

  WS_HD static constexpr std::uint32_t vector_words(std::uint32_t length) { return length / 64 + 3; }
  WS_HD static constexpr std::uint32_t mask_count(std::uint32_t length) { return length / 32 + 1; }
  WS_HD static constexpr std::uint32_t packed_words(std::uint32_t length) { return (packed_begin + length) / 32 + 2; }
  WS_HD static constexpr std::uint64_t words_with_edits(std::uint32_t length) {
    return std::uint64_t{8} * vector_words(length) + std::uint64_t{2} * packed_words(length);
  }
  WS_HD static constexpr std::uint64_t words_with_mismatches(std::uint32_t length) {
    return std::uint64_t{4} * mask_count(length);
  }

  /// The end of the bases that may differ.
  WS_HD std::uint32_t right_end() const { return length - exact_right; }

  /// The bases that may differ to the right of `position`, and those to its left.
  WS_HD Reading rightward(std::uint32_t position) const {
    return {words, vector_words(length), position, right_end() - position};
  }
  WS_HD Reading leftward(std::uint32_t position) const {
    const std::uint32_t stride = vector_words(length);
    return {words + 4 * stride, stride, length - position, position - exact_left};
  }

  /// The pattern as packed text, and where its codes are not single bases: of such a code, the low bit is set.
  WS_HD text::PackedView packed() const {
    return {words + 8 * vector_words(length), std::uint64_t{packed_begin} + length};
  }
  WS_HD text::PackedView ambiguous() const {
    return {words + 8 * vector_words(length) + packed_words(length), std::uint64_t{packed_begin} + length};
  }

  /// Four masks, one for each base, of the pattern's bases [32 i, 32 i + 32): bit 62 - 2j is set if base 32 i + j can
  /// be this one, as in the words of a packed text.
  WS_HD const std::uint64_t* masks(std::uint32_t i) const { return words + 4 * i; }

  WS_HD bool is_exact(std::uint32_t position) const { return position < exact_left || position >= right_end(); }

  /// The bits of the bases [32 i, 32 i + 32) that are to match: bits 63 - 2j and 62 - 2j of base 32 i + j.
  WS_HD std::uint64_t exact_bits(std::uint32_t i) const {
    const std::uint32_t first = 32 * i, right = right_end();
    return first_bases(exact_left > first ? exact_left - first : 0) | ~first_bases(right > first ? right - first : 0);
  }

 private:
  WS_HD static std::uint64_t first_bases(std::uint32_t count) {
    return count >= 32 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> 2 * count);
  }
};

}  // namespace warpseed::approximate
