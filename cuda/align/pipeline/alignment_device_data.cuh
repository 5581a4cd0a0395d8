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

/// One copy serves all batches that are on their way on a device.
class AlignmentDeviceData {
 public:
  /// Complete when this returns. `stream` must outlive it. threads: of the host, for the copy. memory_bytes: what may be
  /// taken of the device's memory; 0: what is free. Throws BackendError if the index does not fit.
  AlignmentDeviceData(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                      const Stream& stream, int threads, std::uint64_t memory_bytes = 0);

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
