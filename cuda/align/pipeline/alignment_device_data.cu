#include "align/pipeline/alignment_device_data.cuh"

#include <string>

#include "core/error.hpp"

namespace warpseed::align::cuda {

namespace {

/// Before anything is copied.
const index::FmView& require_room(const index::FmView& fm, const text::GenomeView& genome, std::uint64_t memory_bytes) {
  const std::uint64_t needed = index::cuda::device_bytes(fm) + text::cuda::device_bytes(genome);
  if (memory_bytes > 0 && needed > memory_bytes) {
    const auto mib = [](std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; };
    throw BackendError("this index needs about " + mib(needed) + " of device memory, " + mib(memory_bytes - 1) +
                       " are allowed; allow more, or use --backend cpu");
  }
  return fm;
}

}  // namespace

AlignmentDeviceData::AlignmentDeviceData(const index::FmView& fm, const text::GenomeView& genome,
                                         const AlignOptions& options, const Stream& stream, int threads,
                                         std::uint64_t memory_bytes)
    : index_(index::cuda::upload_index(require_room(fm, genome, memory_bytes), stream, threads)),
      genome_(genome, stream, threads),
      alt_contigs_({options.alt_contigs.data, options.alt_contigs.size}, stream),
      options_(options) {
  options_.alt_contigs = alt_contigs_.view();
  stream.wait();
}

}  // namespace warpseed::align::cuda
