// What alignment reads of an index, in device memory for as long as there are batches.
#pragma once

#include "align/align_options.hpp"
#include "core/buffer.cuh"
#include "index/device_index.cuh"
#include "index/fm_core.hpp"
#include "text/device_genome.cuh"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

/// One copy serves all batches that are on their way on a device.
class ResidentIndex {
 public:
  /// Complete when this returns. `stream` must outlive it. threads: of the host, for the copy. Throws BackendError if the
  /// index does not fit the device.
  ResidentIndex(const FmView& fm, const GenomeView& genome, const AlignOptions& options, const Stream& stream,
                int threads)
      : index_(upload_index(fm, stream, threads)),
        genome_(genome, stream, threads),
        alt_contigs_({options.alt_contigs.data, options.alt_contigs.size}, stream),
        position_count_(genome.contig_begins[genome.contig_count()]),
        options_(options) {
    options_.alt_contigs = alt_contigs_.view();
    stream.wait();
  }

  FmView fm() const { return index_.view(); }
  GenomeView genome() const { return genome_.view(); }

  /// Of the genome, N included.
  GenomePos position_count() const { return position_count_; }

  /// As the device sees them.
  const AlignOptions& options() const { return options_; }

 private:
  DeviceIndex index_;
  DeviceGenome genome_;
  Buffer<std::uint8_t> alt_contigs_;
  GenomePos position_count_;
  AlignOptions options_;
};

}  // namespace warpseed::cuda
