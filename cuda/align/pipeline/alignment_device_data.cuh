// What alignment reads of an index, in device memory for as long as there are batches.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "core/buffer.cuh"
#include "index/device_index.cuh"
#include "index/fm_core.hpp"
#include "text/device_genome.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The least memory for a batch of reads: some thousands of short ones are worked on at a time.
constexpr std::uint64_t least_batch_bytes = std::uint64_t{128} << 20;

/// Throws BackendError, with the bytes that would do, if `memory_bytes` of a device do not hold an index and
/// least_batch_bytes; 0: what is free, which is asked for later. Returns them.
std::uint64_t require_memory_for(const index::FmView& fm, const text::GenomeView& genome, std::uint64_t memory_bytes);

/// One copy serves all batches that are on their way on a device.
class AlignmentDeviceData {
 public:
  /// Complete when this returns. `stream` must outlive it. threads: of the host, for the copy. Throws BackendError if the
  /// index does not fit.
  AlignmentDeviceData(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                      const Stream& stream, int threads);

  index::FmView fm() const { return index_.view(); }
  text::GenomeView genome() const { return genome_.view(); }

  /// As the device sees them.
  const AlignOptions& options() const { return options_; }

 private:
  index::cuda::DeviceIndex index_;
  text::cuda::DeviceGenome genome_;
  Buffer<std::uint8_t> alt_contigs_;
  AlignOptions options_;
};

}  // namespace warpseed::align::cuda
