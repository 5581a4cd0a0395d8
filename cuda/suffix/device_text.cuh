// The text on the device: packed symbols and a bitmap of the separators.
#pragma once

#include <cstdint>
#include <span>

#include "core/buffer.cuh"
#include "text/genome_core.hpp"

namespace warpseed::suffix::cuda {

/// Kernel view of a text; owns nothing.
///
/// A genome has 2 bits per base and marks its separators in a bitmap; a separator reads as an A. A text of bytes ends
/// in its only separator, which has the unique code 0, so that it needs no bitmap.
struct DeviceTextView {
  const std::uint64_t* words = nullptr;       // [size * symbol_bits / 64 + 2] most significant bits first, then zeros
  const std::uint32_t* separators = nullptr;  // [size / 32 + 2] bit i%32 of word i/32: i is a separator; or null
  std::uint64_t size = 0;                     // symbols, separators included
  unsigned symbol_bits = 2;                   // 1 to 9

  /// The symbols from `position` on as a number with the same order, the first in the highest bits.
  __device__ std::uint64_t window(TextPos position) const {
    const std::uint64_t bit = position * symbol_bits;
    const std::uint64_t* word = words + bit / 64;
    const unsigned shift = static_cast<unsigned>(bit % 64);
    return shift == 0 ? word[0] : word[0] << shift | word[1] >> (64 - shift);
  }

  __device__ unsigned symbol(TextPos position) const {
    const std::uint64_t bit = position * symbol_bits;
    const std::uint64_t* word = words + bit / 64;
    const unsigned end = static_cast<unsigned>(bit % 64) + symbol_bits;  // in this word, or in the next one
    const std::uint64_t bits = end <= 64 ? word[0] >> (64 - end) : word[0] << (end - 64) | word[1] >> (128 - end);
    return static_cast<unsigned>(bits) & ((1U << symbol_bits) - 1);
  }

  /// Bit d: position + d is a separator of the bitmap.
  __device__ std::uint32_t separators_from(TextPos position) const {
    if (separators == nullptr) return 0;
    const std::uint32_t* word = separators + position / 32;
    return __funnelshift_r(word[0], word[1], static_cast<unsigned>(position % 32));
  }

  __device__ bool is_separator(TextPos position) const {
    return separators == nullptr ? position + 1 == size : separators[position / 32] >> (position % 32) & 1;
  }
};

/// Owns the text's copy on the device: 3/8 of a byte per base; symbol_bits per symbol of a text of bytes.
class DeviceText {
 public:
  /// A genome's text. The copy is complete on return.
  DeviceText(const text::GenomeView& genome, const Stream& stream, int threads);

  /// A text of bytes followed by an end symbol: size() is bytes.size() + 1. The values that occur are numbered from 1
  /// in ascending order, and a symbol takes as few bits as the largest number needs.
  DeviceText(std::span<const std::uint8_t> bytes, const Stream& stream, int threads);

  /// The same of bytes on the device.
  DeviceText(View<std::uint8_t> bytes, const Stream& stream);

  DeviceTextView view() const {
    return {words_.data(), separators_.size() == 0 ? nullptr : separators_.data(), size_, symbol_bits_};
  }
  std::uint64_t size() const { return size_; }
  bool is_genome() const { return separators_.size() > 0; }
  unsigned symbol_bits() const { return symbol_bits_; }

 private:
  void pack(View<std::uint8_t> bytes, const Stream& stream);

  std::uint64_t size_;
  unsigned symbol_bits_ = 2;
  Buffer<std::uint64_t> words_;
  Buffer<std::uint32_t> separators_;
};

}  // namespace warpseed::suffix::cuda
