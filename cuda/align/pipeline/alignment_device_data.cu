#include "align/pipeline/alignment_device_data.cuh"

#include <string>

#include "warpseed/error.hpp"

namespace warpseed::align::cuda {

std::uint64_t require_memory_for(const index::FmView& fm, const text::GenomeView& genome, std::uint64_t memory_bytes) {
  const std::uint64_t index = index::cuda::device_bytes(fm) + text::cuda::device_bytes(genome),
                      needed = index + least_batch_bytes;
  if (memory_bytes > 0 && needed > memory_bytes) {
    constexpr std::uint64_t mib_bytes = 1 << 20;
    const auto mib = [](std::uint64_t bytes) { return std::to_string((bytes + mib_bytes - 1) / mib_bytes); };
    throw BackendError("this index needs about " + mib(index) + " MiB of device memory and the reads " +
                       mib(least_batch_bytes) + " MiB at least, " + std::to_string(memory_bytes) +
                       " bytes are allowed; allow --memory " + mib(needed + mib_bytes) +
                       "M or more, or use --backend cpu");
  }
  return memory_bytes;
}

AlignmentDeviceData::AlignmentDeviceData(const index::FmView& fm, const text::GenomeView& genome,
                                         const AlignOptions& options, const Stream& stream, int threads)
    : index_(index::cuda::upload_index(fm, stream, threads)),
      genome_(genome, stream, threads),
      genome_size_(genome.contig_begins[genome.contig_count()]),
      alt_contigs_({options.alt_contigs.data, options.alt_contigs.size}, stream),
      options_(options) {
  options_.alt_contigs = alt_contigs_.view();
  stream.wait();
}

}  // namespace warpseed::align::cuda
