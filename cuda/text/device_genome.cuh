// A genome (see text/genome_core.hpp) in device memory.
#pragma once

#include "core/buffer.cuh"
#include "text/genome_core.hpp"

namespace warpseed::text::cuda {

/// The device memory of a DeviceGenome.
std::uint64_t device_bytes(const GenomeView& genome);

/// Owns a device copy of text, segments and contig bounds: a quarter of a byte per base. view() is for kernels.
class DeviceGenome {
 public:
  /// Complete on return. threads: host threads for the copy. Throws BackendError if it does not fit.
  DeviceGenome(const GenomeView& genome, const Stream& stream, int threads);

  GenomeView view() const { return {{words_.data(), size_}, segments_.view(), contig_begins_.view()}; }

 private:
  std::uint64_t size_;  // symbols, separators included
  Buffer<std::uint64_t> words_;
  Buffer<Segment> segments_;
  Buffer<std::uint64_t> contig_begins_;
};

}  // namespace warpseed::text::cuda
