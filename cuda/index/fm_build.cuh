// Builds the FM-index from a suffix array, both on the device.
#pragma once

#include "core/primitives.cuh"
#include "index/device_index.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::index::cuda {

/// What the sizes of an index follow from.
struct FmSizes {
  std::uint64_t symbols = 0, segments = 0;  // of the text
  std::uint32_t sample_step = 1;
  std::uint32_t position_width = 4;  // bytes
};

/// The device version of fm_index_from() (index/fm_index.hpp). Takes the suffix array at once or in parts; the index is
/// the same.
class FmBuilder {
 public:
  /// Takes fm_build_bytes() of device memory. The text must not be empty.
  FmBuilder(const FmSizes& sizes, const Stream& stream);

  /// Adds rows [first_row, first_row + suffixes.size()); every row must be added once, in any order.
  /// suffixes, text, stream: of this device or of another one in a team with it, whose rows are added by a thread of its
  ///     own once the constructor's work is done.
  /// Pos: of position_width bytes.
  template <class Pos>
  void add(Row first_row, const Buffer<Pos>& suffixes, const suffix::cuda::DeviceText& text, const Stream& stream);

  /// Counts the rows and fills the k-mer table; call after the work of adding all rows is done.
  DeviceIndex finish();

 private:
  void put_segment_starts();

  const Stream& stream_;
  const FmSizes sizes_;
  DeviceIndex index_;
  SortablePairs<std::uint64_t> starts_;      // row and text position of each segment's first suffix, as they come
  Buffer<unsigned long long> starts_found_;  // [1]
};

/// The device memory of a builder until finish(), which adds the k-mer table.
std::uint64_t fm_build_bytes(const FmSizes& sizes);

}  // namespace warpseed::index::cuda
