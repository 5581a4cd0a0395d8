#include "text/device_genome.cuh"

#include <array>

#include "core/transfer.cuh"

namespace warpseed::text::cuda {

namespace {

std::uint64_t word_count(const GenomeView& genome) {
  return genome.text.size / 32 + 2;
}

}  // namespace

std::uint64_t device_bytes(const GenomeView& genome) {
  constexpr std::uint64_t margin = std::uint64_t{16} << 20;  // each buffer is rounded up to 2 MiB
  return 8 * word_count(genome) + genome.segments.bytes() + genome.contig_begins.bytes() + margin;
}

DeviceGenome::DeviceGenome(const GenomeView& genome, const Stream& stream, int threads) : size_(genome.text.size) {
  stream.pool().require(device_bytes(genome), "the genome's text");
  words_ = Buffer<std::uint64_t>(word_count(genome), stream);
  segments_ = Buffer<Segment>(genome.segments.size, stream);
  contig_begins_ = Buffer<std::uint64_t>(genome.contig_begins.size, stream);
  stream.wait();  // the copies below use streams of their own
  const std::array<Copy, 3> arrays = {{
      {words_.data(), genome.text.words, 8 * words_.size()},
      {segments_.data(), genome.segments.data, genome.segments.bytes()},
      {contig_begins_.data(), genome.contig_begins.data, genome.contig_begins.bytes()},
  }};
  upload(arrays, stream.pool(), threads);
}

}  // namespace warpseed::text::cuda
