#include "core/huffman_code.hpp"

#include <algorithm>

namespace warpseed::deflate {

namespace {

/// A stable sort by 8 bits of the keys, from bit `shift` on.
void sort_by_byte(std::span<const std::uint32_t> from, std::uint32_t shift, std::uint32_t* to) {
  std::array<std::uint16_t, 256> next = {};
  for (const std::uint32_t key : from) ++next[key >> shift & 0xFF];
  std::uint16_t before = 0;
  for (std::uint16_t& first : next) {
    const std::uint16_t count = first;
    first = before;
    before = static_cast<std::uint16_t>(before + count);
  }
  for (const std::uint32_t key : from) to[next[key >> shift & 0xFF]++] = key;
}

/// Sorts keys that are in the order of their symbols.
void sort_keys(std::span<std::uint32_t> keys) {
  std::array<std::uint32_t, literal_symbols> other;
  const std::span sorted(other.data(), keys.size());
  sort_by_byte(keys, 9, sorted.data());
  sort_by_byte(sorted, 17, keys.data());
  if (std::ranges::all_of(keys, [](std::uint32_t key) { return key >> 25 == 0; })) return;
  std::ranges::sort(keys);  // a count of 2^16 or more: all bytes of a block are one
}

}  // namespace

HuffmanCode HuffmanCode::of(std::span<const std::uint32_t> counts, std::uint32_t limit) {
  std::array<std::uint32_t, literal_symbols> keys;
  std::uint32_t present = 0;
  for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] > 0) keys[present++] = count_key(counts[symbol], symbol);
  }
  sort_keys({keys.data(), present});
  HuffmanCode code;
  CodeScratch scratch;
  code_lengths(keys.data(), present, limit, scratch, code.lengths_.data());
  code.assign_codes();
  return code;
}

HuffmanCode HuffmanCode::fixed_literals() {
  HuffmanCode code;
  for (std::uint32_t symbol = 0; symbol < room; ++symbol) code.lengths_[symbol] = fixed_literal_bits(symbol);
  code.assign_codes();
  return code;
}

HuffmanCode HuffmanCode::fixed_distances() {
  HuffmanCode code;
  std::fill_n(code.lengths_.begin(), 32, std::uint8_t{fixed_distance_bits});
  code.assign_codes();
  return code;
}

std::uint64_t HuffmanCode::cost(std::span<const std::uint32_t> counts) const {
  std::uint64_t bits = 0;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol)
    bits += std::uint64_t{counts[symbol]} * lengths_[symbol];
  return bits;
}

}  // namespace warpseed::deflate
