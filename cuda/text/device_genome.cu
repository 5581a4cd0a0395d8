#include "text/device_genome.cuh"

#include "core/transfer.cuh"

namespace warpseed::cuda {

DeviceGenome::DeviceGenome(const GenomeView& genome, const Stream& stream, int threads) : size_(genome.text.size) {
  constexpr std::uint64_t margin = std::uint64_t{64} << 20;  // for what the allocator rounds up
  const std::uint64_t word_count = size_ / 32 + 2;
  require_device_memory(word_count * 8 + genome.segments.bytes() + genome.contig_begins.bytes() + margin,
                        "the genome's text");
  words_ = Buffer<std::uint64_t>(word_count, stream);
  segments_ = Buffer<Segment>(genome.segments.size, stream);
  contig_begins_ = Buffer<std::uint64_t>(genome.contig_begins.size, stream);
  stream.wait();  // the copies below run on streams of their own
  const int device = stream.device();
  upload(words_.data(), genome.text.words, word_count * 8, device, threads);
  upload(segments_.data(), genome.segments.data, genome.segments.bytes(), device, threads);
  upload(contig_begins_.data(), genome.contig_begins.data, genome.contig_begins.bytes(), device, threads);
}

}  // namespace warpseed::cuda
