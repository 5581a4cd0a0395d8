// Texts in which comparisons end at separators: common prefix of two suffixes, a few machine words per step.
#pragma once

#include <cstdint>

#include "core/bits.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// The separators of a text as bitmaps; owns nothing.
struct SeparatorView {
  static constexpr unsigned block_bits = 8;  // 256 symbols per block: 1.5 MB for a human genome, which fits in caches
  static constexpr unsigned blocks_reach = 64;  // symbols past its end that a block's bit covers, too
  const std::uint32_t* bits = nullptr;          // [size / 32 + 2] bit i%32 of word i/32: position i is a separator
  const std::uint32_t* blocks = nullptr;  // [block_count(size) / 32 + 1] bit b: block b or its reach has a separator

  WS_HD bool at(TextPos i) const { return bits[i / 32] >> (i % 32) & 1; }

  /// False only if there is no separator in [i, i + blocks_reach]; i < size.
  WS_HD bool maybe_near(TextPos i) const {
    const std::uint64_t block = i >> block_bits;
    return blocks[block / 32] >> (block % 32) & 1;
  }

  /// Bit d: position i + d is a separator.
  WS_HD std::uint32_t from(TextPos i) const {
    const std::uint32_t* word = bits + i / 32;
    const unsigned shift = static_cast<unsigned>(i % 32);
    return shift == 0 ? word[0] : word[0] >> shift | word[1] << (32 - shift);
  }

  WS_HD static std::uint64_t block_count(std::uint64_t size) { return (size >> block_bits) + 1; }

  /// The first block whose bit in `blocks` a separator sets; the last one is its own.
  WS_HD static std::uint64_t first_block_near(TextPos separator) {
    constexpr std::uint64_t own = (1U << block_bits) / 32, reach = blocks_reach / 32 + 1;
    const std::uint64_t word = separator / 32;
    return word < reach ? 0 : (word - reach) / own;
  }

  /// The bit of a block in `blocks`. word_count: of `bits`.
  WS_HD static bool block_has_any(const std::uint32_t* bits, std::uint64_t word_count, std::uint64_t block) {
    constexpr std::uint64_t own = (1U << block_bits) / 32, reach = blocks_reach / 32 + 1;
    std::uint32_t any = 0;
    for (std::uint64_t i = own * block; i < own * (block + 1) + reach && i < word_count; ++i) any |= bits[i];
    return any != 0;
  }
};

/// The first symbols of a suffix, packed for comparison in a few instructions.
struct SuffixHead {
  static constexpr std::uint32_t nothing = 0xFFFFFFFF;
  std::uint64_t first = 0, second = 0;  // the symbols, the first in the highest bits; unused bits are 0
  std::uint32_t limit = 0;              // symbols before the first separator, at most the head's depth
  std::uint32_t before = nothing;       // the symbol before the suffix; nothing if a segment begins with it
};

/// A genome's text, on host or device; owns nothing.
struct GenomeText {
  static constexpr unsigned depth = 63;  // symbols of a head: with the preceding one they span three words of text
  static constexpr unsigned step = 32;   // symbols that share_step() compares

  text::PackedView text;
  SeparatorView separators;

  WS_HD std::uint64_t size() const { return text.size; }

  WS_HD SuffixHead head(TextPos at) const {
    const TextPos from = at == 0 ? 0 : at - 1;
    const std::uint64_t last = text.size / 32 + 1, i = from / 32;
    const unsigned shift = 2 * static_cast<unsigned>(from % 32);
    const std::uint64_t words[3] = {text.words[i], text.words[i + 1], text.words[i + 2 < last ? i + 2 : last]};
    const std::uint64_t high = shift == 0 ? words[0] : words[0] << shift | words[1] >> (64 - shift);
    const std::uint64_t low = shift == 0 ? words[1] : words[1] << shift | words[2] >> (64 - shift);
    const bool near = separators.maybe_near(from);
    SuffixHead head;
    head.limit = near ? limit_at(at) : depth;
    if (at == 0) {
      head.first = high, head.second = low & ~std::uint64_t{3};
    } else {
      head.first = high << 2 | low >> 62, head.second = low << 2;
      if (!near || !separators.at(from)) head.before = static_cast<std::uint32_t>(high >> 62);
    }
    return head;
  }

  /// Length of the common prefix of two suffixes, at most `depth`.
  WS_HD static unsigned shared(const SuffixHead& a, const SuffixHead& b) {
    const std::uint64_t first = a.first ^ b.first, second = a.second ^ b.second;
    unsigned same = first != 0 ? leading_zeros(first) / 2 : second != 0 ? 32 + leading_zeros(second) / 2 : depth;
    if (a.limit < same) same = a.limit;
    return b.limit < same ? b.limit : same;
  }

  /// Number of symbols that two different suffixes share, at most `step`; 0 if one of them is past the end of the text.
  WS_HD unsigned share_step(TextPos a, TextPos b) const {
    if (a >= text.size || b >= text.size) return 0;
    const unsigned same = leading_zeros(text.window(a) ^ text.window(b)) / 2;
    const std::uint32_t ends = separators.from(a) | separators.from(b);
    const unsigned limit = ends == 0 ? step : trailing_zeros(ends);
    return limit < same ? limit : same;
  }

  /// share_step() of positions inside the text that are likely far from any separator.
  WS_HD unsigned share_far_step(TextPos a, TextPos b) const {
    const unsigned same = leading_zeros(text.window(a) ^ text.window(b)) / 2;
    if (same == 0 || (!separators.maybe_near(a) && !separators.maybe_near(b))) return same;
    const std::uint32_t ends = separators.from(a) | separators.from(b);
    const unsigned limit = trailing_zeros(ends);
    return limit < same ? limit : same;
  }

 private:
  WS_HD std::uint32_t limit_at(TextPos at) const {
    const std::uint64_t beyond = at + 32 < text.size ? separators.from(at + 32) : 0;
    const unsigned limit = trailing_zeros(separators.from(at) | beyond << 32);
    return limit < depth ? limit : depth;
  }
};

/// Length of the common prefix of the suffixes at a and b, a != b, given that they share the first `known` symbols.
/// Exact if below `enough`; else at least `enough`.
template <class Text>
WS_HD inline std::uint64_t shared_symbols(const Text& text, TextPos a, TextPos b, std::uint64_t known = 0,
                                          std::uint64_t enough = ~std::uint64_t{0}) {
  while (known < enough) {
    const unsigned same = text.share_step(a + known, b + known);
    known += same;
    if (same < text.step) break;
  }
  return known;
}

/// The base before a suffix, or 4 at the start of a segment.
WS_HD inline unsigned base_before(const GenomeText& text, TextPos at) {
  return at == 0 || text.separators.at(at - 1) ? 4 : text.text[at - 1];
}

}  // namespace warpseed::suffix
