// The text on the device: packed bases and a bitmap of the separators.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

constexpr unsigned key_bases = 32;  // bases in a 64-bit key

/// What kernels read of the text; owns nothing.
struct DeviceTextView {
  PackedView text;
  const std::uint32_t* separators = nullptr;  // [size/32 + 2] bit i%32 of word i/32: a separator stands at i

  /// Bit d: a separator stands at position + d.
  __device__ std::uint32_t separators_from(TextPos position) const {
    const std::uint32_t* words = separators + position / 32;
    return __funnelshift_r(words[0], words[1], static_cast<unsigned>(position % 32));
  }

  /// Bases from `position` to the next separator, at most key_bases.
  __device__ unsigned bases_ahead(TextPos position) const {
    const std::uint32_t ahead = separators_from(position);
    return ahead == 0 ? key_bases : static_cast<unsigned>(__ffs(static_cast<int>(ahead))) - 1;
  }

  __device__ bool is_separator(TextPos position) const { return separators[position / 32] >> (position % 32) & 1; }

  /// The first 32 bases of a suffix as a number, zeros from its separator on.
  __device__ std::uint64_t key(TextPos position, unsigned bases) const {
    const std::uint64_t window = text.window(position);
    return bases == 0 ? 0 : window & ~std::uint64_t{0} << (64 - 2 * bases);
  }
};

/// Owns the text's copy on the device: 3/8 of a byte a symbol.
class DeviceText {
 public:
  /// The copy is complete when this returns.
  DeviceText(const GenomeView& genome, const Stream& stream, int threads);

  DeviceTextView view() const { return {{words_.data(), size_}, separators_.data()}; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_;
  Buffer<std::uint64_t> words_;
  Buffer<std::uint32_t> separators_;
};

}  // namespace warpseed::cuda
