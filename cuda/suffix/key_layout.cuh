// The first symbols of a suffix as a number.
#pragma once

#include <cstdint>

#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// Layout of the first symbols of a suffix in a 64-bit key.
struct KeyLayout {
  unsigned symbol_bits = 2;
  unsigned symbols = 0;       // that a key compares
  unsigned stride = 1;        // one suffix in `stride` is sorted by radix; its key also holds the symbols before it
  std::uint64_t tie_bit = 0;  // set in the keys of suffixes longer than `symbols`; 0: not used

  __host__ __device__ std::uint64_t mask() const { return ~std::uint64_t{0} << (64 - symbols * symbol_bits); }
  __host__ __device__ unsigned lead_bits(unsigned lead) const { return lead * symbol_bits; }
};

/// Layout for the suffixes of all positions, or of some.
KeyLayout layout_for_all(const DeviceText& text);
KeyLayout layout_for_some(const DeviceText& text);

/// Symbols of a suffix before its separator, at most `most`.
__device__ inline unsigned symbols_before_separator(const DeviceTextView& text, TextPos position, unsigned most) {
  const std::uint32_t ahead = text.separators_from(position);
  return ahead == 0 ? most : min(static_cast<unsigned>(__ffs(static_cast<int>(ahead))) - 1, most);
}

/// The key of a suffix. Zeros pad a suffix that ends; only suffixes that go on have the tie bit.
__device__ inline std::uint64_t key_of(const DeviceTextView& text, const KeyLayout& layout, TextPos position) {
  const unsigned ahead = symbols_before_separator(text, position, layout.symbols);
  const std::uint64_t kept = ahead == 0 ? 0 : ~std::uint64_t{0} << (64 - ahead * layout.symbol_bits);
  return (text.window(position) & kept) | (ahead == layout.symbols ? layout.tie_bit : 0);
}

}  // namespace warpseed::suffix::cuda
