// String views for both backends: the first difference of two strings, and radix sort keys of their symbols.
#pragma once

#include <cstdint>

#include "core/bits.hpp"
#include "core/host_device.hpp"
#include "text/genome_core.hpp"

namespace warpseed::sort {

/// Bytes in 64-bit words as they lie in memory: byte i is bits 8(i%8) to 8(i%8)+7 of word i/8.
struct ByteView {
  const std::uint64_t* words = nullptr;  // [bytes/8 + 2]: one spare word, so that window() can read past the end

  /// The 8 bytes from `at` as one number with the same order.
  WS_HD std::uint64_t window(std::uint64_t at) const {
    const std::uint64_t low = words[at / 8];
    const unsigned shift = 8 * static_cast<unsigned>(at % 8);
    return swapped(shift == 0 ? low : low >> shift | words[at / 8 + 1] << (64 - shift));
  }

  WS_HD static std::uint64_t swapped(std::uint64_t word) {
    constexpr std::uint64_t bytes = 0x00FF00FF00FF00FFULL, pairs = 0x0000FFFF0000FFFFULL;
    word = (word >> 8 & bytes) | (word & bytes) << 8;
    word = (word >> 16 & pairs) | (word & pairs) << 16;
    return word >> 32 | word << 32;
  }
};
static_assert(std::endian::native == std::endian::little, "ByteView's words are bytes as they lie in memory");

/// Bits per symbol, and symbols per window.
template <class Text>
inline constexpr unsigned symbol_bits = 8;
template <>
inline constexpr unsigned symbol_bits<text::PackedView> = 2;
template <class Text>
inline constexpr unsigned window_symbols = 64 / symbol_bits<Text>;

/// A string as a range of a text.
struct Span {
  std::uint64_t begin = 0, length = 0;
};

/// Strings in a text, which is a ByteView or a PackedView; owns nothing.
template <class Text>
struct Strings {
  Text text;
  const std::uint64_t* begins = nullptr;  // [count] in symbols
  const std::uint64_t* ends = nullptr;    // [count] often begins + 1
  std::uint64_t count = 0;
  std::uint64_t origin = 0, stride = 0;  // stride not 0: all strings have this length and are contiguous from origin;
                                         // begins and ends are not read then

  WS_HD std::uint64_t begin(std::uint64_t i) const { return stride == 0 ? begins[i] : origin + i * stride; }
  WS_HD std::uint64_t length(std::uint64_t i) const { return stride == 0 ? ends[i] - begins[i] : stride; }
  WS_HD Span span(std::uint64_t i) const { return {begin(i), length(i)}; }
};

/// Concatenated strings: string i is [offsets[i], offsets[i + 1]) of the text, count + 1 offsets.
template <class Text>
Strings<Text> end_to_end(const Text& text, const std::uint64_t* offsets, std::uint64_t count) {
  return {text, offsets, offsets + 1, count};
}

/// The first difference of two strings.
struct FirstDifference {
  std::uint64_t common = 0;  // length of the common prefix, in symbols
  int order = 0;             // -1: the first string is smaller, 0: equal, 1: larger
};

/// Compares strings a and b, which are known to share their first `from` symbols. Stops, with order 0, once they share
/// `limit` symbols.
template <class Text>
WS_HD FirstDifference part(const Text& text, Span a, Span b, std::uint64_t from,
                           std::uint64_t limit = ~std::uint64_t{0}) {
  const std::uint64_t shorter = a.length < b.length ? a.length : b.length;
  const std::uint64_t end = shorter < limit ? shorter : limit;
  for (std::uint64_t at = from; at < end; at += window_symbols<Text>) {
    const std::uint64_t here = text.window(a.begin + at), there = text.window(b.begin + at);
    if (here == there) continue;
    const std::uint64_t common = at + leading_zeros(here ^ there) / symbol_bits<Text>;
    if (common < end) return {common, here < there ? -1 : 1};
    break;
  }
  if (end < shorter) return {end, 0};
  return {shorter, a.length < b.length ? -1 : a.length > b.length ? 1 : 0};
}

template <class Text>
WS_HD FirstDifference part(const Strings<Text>& strings, std::uint64_t a, std::uint64_t b, std::uint64_t from,
                           std::uint64_t limit = ~std::uint64_t{0}) {
  return part(strings.text, strings.span(a), strings.span(b), from, limit);
}

/// Layout of a key, from the top: `symbols` codes of `code_bits` bits, zeros past the string's end, then the number of
/// symbols that the string has of these, in `count_bits` bits. Keys therefore compare as the strings do, prefixes
/// first; strings with equal keys and a count below `symbols` are equal.
struct KeyShape {
  unsigned code_bits = 8;
  unsigned symbols = 7;
  unsigned count_bits = 3;

  WS_HD unsigned bits() const { return code_bits * symbols + count_bits; }
  WS_HD bool has_ended(std::uint64_t key) const { return (key & ((std::uint64_t{1} << count_bits) - 1)) < symbols; }

  /// The group number above a key of this shape in a word.
  WS_HD std::uint64_t group_of(std::uint64_t word) const { return bits() >= 64 ? 0 : word >> bits(); }
  WS_HD std::uint64_t with_group(std::uint64_t group, std::uint64_t key) const {
    return bits() >= 64 ? key : group << bits() | key;
  }
};

/// The first symbols of a string as a number with the same order, zeros past its end.
template <class Text>
WS_HD std::uint64_t first_window(const Strings<Text>& strings, std::uint64_t i) {
  const std::uint64_t length = strings.length(i);
  if (length == 0) return 0;
  const std::uint64_t window = strings.text.window(strings.begin(i));
  return length >= window_symbols<Text> ? window : window & ~std::uint64_t{0} << (64 - symbol_bits<Text> * length);
}

/// The shape with the most symbols of `code_bits` (1 to 8) bits in `bits` bits; at least one must fit.
inline KeyShape widest_key(unsigned code_bits, unsigned bits) {
  KeyShape shape{code_bits, 1, 1};
  const auto bits_for = [&](unsigned symbols) {
    return code_bits * symbols + static_cast<unsigned>(std::bit_width(symbols));
  };
  while (bits_for(shape.symbols + 1) <= bits) ++shape.symbols;
  shape.count_bits = static_cast<unsigned>(std::bit_width(shape.symbols));
  return shape;
}

/// Codes of bytes: ranks among the bytes that occur.
struct ByteCodes {
  static constexpr std::uint16_t unknown = 0xFFFF;  // a byte without a code
  std::uint16_t of[256];
};

/// Number of symbols of string i that a key holds from `depth` on.
template <class Text>
WS_HD unsigned symbols_in_key(const Strings<Text>& strings, std::uint64_t i, std::uint64_t depth, KeyShape shape) {
  const std::uint64_t length = strings.length(i);
  const std::uint64_t left = length > depth ? length - depth : 0;
  return left < shape.symbols ? static_cast<unsigned>(left) : shape.symbols;
}

/// The key of string i from `depth` on, for a shape of 2-bit codes and at most 31 symbols.
WS_HD inline std::uint64_t key_of(const Strings<text::PackedView>& strings, std::uint64_t i, std::uint64_t depth,
                                  KeyShape shape) {
  const unsigned count = symbols_in_key(strings, i, depth, shape);
  if (count == 0) return 0;
  const std::uint64_t symbols = strings.text.window(strings.begin(i) + depth) >> (64 - 2 * count);
  return symbols << 2 * (shape.symbols - count) << shape.count_bits | count;
}

/// The key of string i from `depth` on, by the codes [256] of its bytes; sets unforeseen if a byte has no code.
WS_HD inline std::uint64_t key_of(const Strings<ByteView>& strings, std::uint64_t i, std::uint64_t depth,
                                  KeyShape shape, const std::uint16_t* codes, bool& unforeseen) {
  const unsigned count = symbols_in_key(strings, i, depth, shape);
  const std::uint64_t begin = strings.begin(i) + depth;
  std::uint64_t key = 0;
  std::uint16_t any = 0;
  for (unsigned done = 0; done < count; done += 8) {
    std::uint64_t bytes = strings.text.window(begin + done);
    const unsigned end = count - done < 8 ? count - done : 8;
    for (unsigned k = 0; k < end; ++k, bytes <<= 8) {
      const std::uint16_t code = codes[bytes >> 56];
      any = static_cast<std::uint16_t>(any | code);
      key = key << shape.code_bits | code;
    }
  }
  unforeseen = any == ByteCodes::unknown;
  return key << shape.code_bits * (shape.symbols - count) << shape.count_bits | count;
}

}  // namespace warpseed::sort
