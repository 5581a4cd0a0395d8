// An FM-index in device memory.
#pragma once

#include "core/buffer.cuh"
#include "index/fm_core.hpp"

namespace warpseed::index::cuda {

/// Owns a device copy of an FM-index; view() is passed to kernels by value.
struct DeviceIndex {
  Buffer<RankBlock> blocks;
  Buffer<Superblock> superblocks;
  Buffer<std::byte> samples, segment_starts, kmer_ranges;  // entries of `position_width` bytes
  Row first_row[5] = {};
  std::uint32_t position_width = 4;
  std::uint32_t sample_step = 1;
  std::uint32_t kmer_length = 0;

  FmView view() const;
};

/// The device memory of that copy.
std::uint64_t device_bytes(const FmView& fm);

/// Copies an index to the stream's device; complete on return.
/// threads: host threads for the copy. Throws BackendError if it does not fit.
DeviceIndex upload_index(const FmView& fm, const Stream& stream, int threads);

}  // namespace warpseed::index::cuda
