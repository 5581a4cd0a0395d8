// Builds the FM-index from a suffix array, both on the device.
#pragma once

#include "index/device_index.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::index::cuda {

/// The device version of fm_index_from() (index/fm_index.hpp). Takes the suffix array at once or in parts; the index is
/// the same.
class FmBuilder {
 public:
  /// Takes fm_build_bytes() of device memory. segments: number of segments of the text, which is not empty.
  FmBuilder(const suffix::cuda::DeviceText& text, std::uint64_t segments, std::uint32_t sample_step,
            const Stream& stream);

  /// Adds rows [first_row, first_row + suffixes.size()); every row must be added once, in ascending order.
  /// Pos: 32 bits wide if the text fits_narrow(), else 64.
  template <class Pos>
  void add(Row first_row, const Buffer<Pos>& suffixes);

  /// Counts the rows and fills the k-mer table; call after adding all rows.
  DeviceIndex finish();

 private:
  const suffix::cuda::DeviceText& text_;
  const Stream& stream_;
  std::uint64_t segments_;
  std::uint64_t starts_found_ = 0;  // segments whose first suffix has been added
  DeviceIndex index_;
};

/// The device memory of a builder until finish(), which adds the k-mer table.
std::uint64_t fm_build_bytes(std::uint64_t symbols, std::uint64_t segments, std::uint32_t sample_step);

}  // namespace warpseed::index::cuda
