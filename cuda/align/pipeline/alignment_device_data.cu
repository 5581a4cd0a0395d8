#include "align/pipeline/alignment_device_data.cuh"

#include <string>

#include "core/error.hpp"

namespace warpseed::cuda {

namespace {

/// Before anything is copied.
const FmView& require_room(const FmView& fm, const GenomeView& genome, std::uint64_t memory_bytes) {
  const std::uint64_t needed = device_bytes(fm) + device_bytes(genome);
  if (memory_bytes > 0 && needed > memory_bytes) {
    const auto mib = [](std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; };
    throw BackendError("this index needs about " + mib(needed) + " of device memory, " + mib(memory_bytes - 1) +
                       " are allowed; allow more, or use --backend cpu");
  }
  return fm;
}

}  // namespace

AlignmentDeviceData::AlignmentDeviceData(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                         const Stream& stream, int threads, std::uint64_t memory_bytes)
    : index_(upload_index(require_room(fm, genome, memory_bytes), stream, threads)),
      genome_(genome, stream, threads),
      alt_contigs_({options.alt_contigs.data, options.alt_contigs.size}, stream),
      options_(options) {
  options_.alt_contigs = alt_contigs_.view();
  stream.wait();
}

}  // namespace warpseed::cuda
