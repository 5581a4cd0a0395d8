// Scratch memory on the device for kernels whose warps take jobs until none is left.
#pragma once

#include <algorithm>
#include <cstdint>

#include "align/align_options.hpp"
#include "align/extend/warp_extend.cuh"
#include "core/buffer.cuh"
#include "core/launch.cuh"

namespace warpseed::align::cuda {

constexpr std::uint64_t warps_per_block = threads_per_block / warp_threads;

/// The number of warps for `jobs`: whole blocks, at most `most` and at most what the scratch memory allows.
inline std::uint64_t warps_for(std::uint64_t jobs, std::uint64_t most, std::uint64_t bytes_a_warp) {
  constexpr std::uint64_t scratch_bytes = std::uint64_t{1} << 30;  // limits the warps for long reads and wide windows
  const std::uint64_t room = scratch_bytes / std::max<std::uint64_t>(bytes_a_warp, 1);
  return std::max<std::uint64_t>(std::min({jobs + warps_per_block - 1, most, room}) / warps_per_block, 1) *
         warps_per_block;
}

/// The scratch memory of all extending warps, one after the other.
struct GrowthScratch {
  std::uint8_t* windows;
  ExtensionCell* rows;
  std::uint64_t window_size, row_size;

  /// memory: [warps of a block]
  __device__ WarpExtender of_warp(ExtensionMemory* memory) const {
    const std::uint64_t warp = thread_index() / warp_threads;
    return {windows + warp * window_size, rows + warp * row_size, memory + threadIdx.x / warp_threads};
  }
};

/// Owns the scratch of a kernel that extends.
class GrowthScratchBuffer {
 public:
  /// longest: length of the longest read. jobs: maximum of a kernel. most_warps: maximum that run at a time.
  GrowthScratchBuffer(const AlignOptions& options, std::uint32_t longest, std::uint64_t jobs, std::uint64_t most_warps,
                      const Stream& stream)
      : reach_(static_cast<std::uint64_t>(
            genome_reach(static_cast<std::int32_t>(longest), options.band, options.scoring))),
        row_(longest + 2),
        warps_(warps_for(jobs, most_warps, reach_ + row_ * sizeof(ExtensionCell))),
        windows_(warps_ * reach_, stream),
        rows_(warps_ * row_, stream) {}

  std::uint64_t threads() const { return warps_ * warp_threads; }
  GrowthScratch scratch() { return {windows_.data(), rows_.data(), reach_, row_}; }

 private:
  const std::uint64_t reach_, row_, warps_;
  Buffer<std::uint8_t> windows_;
  Buffer<ExtensionCell> rows_;
};

}  // namespace warpseed::align::cuda
