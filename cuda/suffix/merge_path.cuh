// Merges two sorted lists of suffixes.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/view.hpp"

namespace warpseed::suffix::cuda {

/// Suffixes in ascending order, each with a 64-bit key; keys do not decrease. Owns nothing.
///
/// A list may be induced: it was sorted by the `lead` symbols that precede each stored suffix, which are the low
/// `lead_bits` of the stored key. It then represents the suffixes that begin `lead` symbols earlier, and their keys
/// begin with those symbols.
struct SuffixList {
  const std::uint64_t* keys = nullptr;       // [size]
  const std::uint32_t* positions = nullptr;  // [size]
  std::uint64_t size = 0;
  unsigned lead = 0, lead_bits = 0;        // symbols, and their bits in a key
  std::uint64_t mask = ~std::uint64_t{0};  // the bits of a key that are compared
  std::uint64_t mark = 0;                  // set in every key in addition

  __device__ std::uint64_t key(std::uint64_t i) const {
    const std::uint64_t stored = keys[i];
    const std::uint64_t shifted = lead_bits == 0 ? stored : stored << (64 - lead_bits) | stored >> lead_bits;
    return (shifted & mask) | mark;
  }
  __device__ std::uint32_t position(std::uint64_t i) const { return positions[i] - lead; }
};

/// Owns keys and positions.
struct KeyedSuffixes {
  Buffer<std::uint64_t> keys;
  Buffer<std::uint32_t> positions;

  KeyedSuffixes() = default;
  KeyedSuffixes(std::uint64_t size, const Stream& stream) : keys(size, stream), positions(size, stream) {}
  SuffixList list() const { return {keys.data(), positions.data(), keys.size()}; }
};

/// Merges both lists by key; equal keys of `first` come first.
///
/// Source: Green, McColl and Bader, "GPU Merge Path", ICS 2012.
/// Cost:   each list read once, the result written once: 24 bytes per suffix.
KeyedSuffixes merge(const SuffixList& first, const SuffixList& second, const Stream& stream);

/// The same, but keeps only bits of the keys: bit i%32 of word i/32 of heads shows whether key i differs from the one
/// before it. A key without `tie_bit` (0: all have it) differs from every other. Bits past the last suffix are set.
///
/// positions: [first.size + second.size]; heads: [head_words], at least enough for all suffixes.
void merge_into(const SuffixList& first, const SuffixList& second, std::uint64_t tie_bit, std::uint32_t* positions,
                std::uint32_t* heads, std::uint64_t head_words, const Stream& stream);

}  // namespace warpseed::suffix::cuda
