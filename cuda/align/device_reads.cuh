// Reads in device memory, both orientations of each.
#pragma once

#include <span>

#include "align/placed_read.hpp"
#include "core/buffer.cuh"

namespace warpseed::cuda {

/// What kernels read of a batch of reads; owns nothing. Orientation 2i of all is read i as it came, 2i + 1 the same
/// turned to the other strand.
struct DeviceReadsView {
  const std::uint8_t* codes = nullptr;  // [2 * bases] 0..4: all reads as they came, then all turned
  View<std::uint64_t> offsets;          // [reads + 1] in either half

  __device__ std::uint64_t count() const { return offsets.size - 1; }
  __device__ std::uint32_t length(std::uint64_t read) const {
    return static_cast<std::uint32_t>(offsets[read + 1] - offsets[read]);
  }
  __device__ const std::uint8_t* codes_of(std::uint64_t orientation) const {
    const std::uint64_t half = orientation % 2 == 0 ? 0 : offsets[count()];
    return codes + half + offsets[orientation / 2];
  }
};

/// Two bytes a base and 8 a read.
class DeviceReads {
 public:
  /// Copies the reads to the stream's device; complete when this returns. threads: of the host.
  DeviceReads(std::span<const PlacedRead> reads, const Stream& stream, int threads);

  DeviceReadsView view() const { return {codes_.data(), offsets_.view()}; }
  std::uint64_t count() const { return offsets_.size() - 1; }

 private:
  Buffer<std::uint8_t> codes_;
  Buffer<std::uint64_t> offsets_;
};

}  // namespace warpseed::cuda
