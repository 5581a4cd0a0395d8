// The FM-index out of a suffix array, both on the device.
#pragma once

#include "index/device_index.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::index::cuda {

/// The device twin of fm_index_from() (index/fm_index.hpp), which takes the suffix array at once or in parts: the same
/// index either way.
class FmBuilder {
 public:
  /// Takes fm_build_bytes() of device memory. segments: of the text, which is not empty.
  FmBuilder(const suffix::cuda::DeviceText& text, std::uint64_t segments, std::uint32_t sample_step,
            const Stream& stream);

  /// Rows [first_row, first_row + suffixes.size()); every row must come once, in ascending order.
  /// Pos: 32 bits wide if the text fits_narrow(), else 64.
  template <class Pos>
  void add(Row first_row, const Buffer<Pos>& suffixes);

  /// Call when all rows have come: counts them, and fills the k-mer table.
  DeviceIndex finish();

 private:
  const suffix::cuda::DeviceText& text_;
  const Stream& stream_;
  std::uint64_t segments_;
  std::uint64_t starts_found_ = 0;  // segments whose first suffix has come
  DeviceIndex index_;
};

/// What a builder takes of device memory until finish(); the k-mer table comes to it then.
std::uint64_t fm_build_bytes(std::uint64_t symbols, std::uint64_t segments, std::uint32_t sample_step);

}  // namespace warpseed::index::cuda
