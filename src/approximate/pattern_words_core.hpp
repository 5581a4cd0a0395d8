// Writes the words of a pattern, shared by both backends.
#pragma once

#include <cstdint>

#include "approximate/differences.hpp"
#include "approximate/pattern_core.hpp"
#include "core/bits.hpp"

namespace warpseed::approximate {

/// The words of a pattern's PatternView.
WS_HD constexpr std::uint64_t word_count(Metric metric, std::uint32_t length) {
  if (length == 0) return 0;
  return metric == Metric::edits ? PatternView::words_with_edits(length) : PatternView::words_with_mismatches(length);
}

WS_HD constexpr bool is_single(text::BaseSet set) {
  return set != 0 && (set & (set - 1)) == 0;
}

/// Bit 8 b + k: is base b in set k of eight?
WS_HD inline std::uint32_t transposed(std::uint64_t sets) {
  constexpr std::uint64_t low_bits = 0x0101010101010101, gather = 0x0102040810204080;  // bit 8 k to bit 56 + k
  std::uint32_t result = 0;
  for (unsigned base = 0; base < 4; ++base) {
    result |= static_cast<std::uint32_t>((sets >> base & low_bits) * gather >> 56) << 8 * base;
  }
  return result;
}

/// vectors: one for each base, `stride` words of zeros each; set_at(i) is bit 64 + i.
template <class SetAt>
WS_HD void write_bit_vectors(const SetAt& set_at, std::uint32_t length, std::uint64_t* vectors, std::uint32_t stride) {
  for (std::uint32_t i = 0; i < length; i += 8) {
    std::uint64_t sets = 0;
    for (std::uint32_t k = 0; k < 8; ++k)
      sets |= std::uint64_t{i + k < length ? set_at(i + k) : text::BaseSet{}} << 8 * k;
    const std::uint32_t bits = transposed(sets);
    for (unsigned base = 0; base < 4; ++base) {
      vectors[base * stride + 1 + i / 64] |= std::uint64_t{bits >> 8 * base & 0xFF} << i % 64;
    }
  }
}

WS_HD inline void write_masks(const text::StrandSets& sets, std::uint64_t* masks) {
  for (std::uint32_t i = 0; i < sets.length; ++i) {
    const text::BaseSet set = sets[i];
    for (unsigned base = 0; base < 4; ++base) {
      masks[4 * (i / 32) + base] |= std::uint64_t{set >> base & 1U} << (62 - 2 * (i % 32));
    }
  }
}

/// For PatternView::packed() and ambiguous().
WS_HD inline void write_packed(const text::StrandSets& sets, std::uint64_t* packed, std::uint64_t* ambiguous) {
  static_assert(PatternView::packed_begin == 32, "the first word is zero");
  for (std::uint32_t i = 0; i < sets.length; i += 32) {
    std::uint64_t bases = 0, others = 0;
    for (std::uint32_t k = 0; k < 32; ++k) {
      const text::BaseSet set = i + k < sets.length ? sets[i + k] : text::BaseSet{1};
      bases = bases << 2 | (is_single(set) ? trailing_zeros(set) : 0U);
      others = others << 2 | static_cast<std::uint64_t>(!is_single(set));
    }
    packed[1 + i / 32] = bases, ambiguous[1 + i / 32] = others;
  }
}

/// words: [word_count(metric, sets.length)].
WS_HD inline void write_words(Metric metric, const text::StrandSets& sets, std::uint64_t* words) {
  const std::uint32_t length = sets.length;
  if (length == 0) return;  // of an empty pattern there are none
  for (std::uint64_t i = 0; i < word_count(metric, length); ++i) words[i] = 0;
  if (metric == Metric::mismatches) return write_masks(sets, words);
  const std::uint32_t stride = PatternView::vector_words(length);
  write_bit_vectors([&](std::uint32_t i) { return sets[i]; }, length, words, stride);
  write_bit_vectors([&](std::uint32_t i) { return sets[length - 1 - i]; }, length, words + 4 * stride, stride);
  std::uint64_t* const packed = words + std::uint64_t{8} * stride;
  write_packed(sets, packed, packed + PatternView::packed_words(length));
}

}  // namespace warpseed::approximate
