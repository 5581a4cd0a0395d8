// The index data that alignment needs, in device memory for as long as there are batches.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "core/buffer.cuh"
#include "index/device_index.cuh"
#include "index/fm_core.hpp"
#include "text/device_genome.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The minimum memory of a batch: enough for some thousands of short reads at a time.
constexpr std::uint64_t least_batch_bytes = std::uint64_t{128} << 20;

/// Returns `memory_bytes`. Throws BackendError, which names a sufficient size, if that much device memory does not hold
/// the index and least_batch_bytes. 0: all free memory, which is queried later and not checked here.
std::uint64_t require_memory_for(const index::FmView& fm, const text::GenomeView& genome, std::uint64_t memory_bytes);

/// All batches on a device share one copy.
class AlignmentDeviceData {
 public:
  /// The copy is complete when this returns. `stream` must outlive the object. threads: host threads for the copy.
  /// Throws BackendError if the index does not fit.
  AlignmentDeviceData(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options,
                      const Stream& stream, int threads);

  index::FmView fm() const { return index_.view(); }
  text::GenomeView genome() const { return genome_.view(); }

  /// Bases of all contigs.
  std::uint64_t genome_size() const { return genome_size_; }

  /// The options with pointers into device memory.
  const AlignOptions& options() const { return options_; }

 private:
  index::cuda::DeviceIndex index_;
  text::cuda::DeviceGenome genome_;
  std::uint64_t genome_size_;
  Buffer<std::uint8_t> alt_contigs_;
  AlignOptions options_;
};

}  // namespace warpseed::align::cuda
