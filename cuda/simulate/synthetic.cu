#include "simulate/synthetic.cuh"

#include <algorithm>
#include <vector>

#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "simulate/entry.hpp"
#include "simulate/synthetic_cursor.hpp"

namespace warpseed::simulate::cuda {

namespace {

constexpr std::uint64_t run_bases = 128;  // per thread, which first computes half a block's layout on average

/// One run per thread. Collects eight bases in a register if the alignment of `out` allows to write them at once.
__global__ void write_bases_kernel(const __grid_constant__ synthetic::SyntheticPlan plan, std::uint64_t begin,
                                   std::uint64_t count, char* out) {
  const std::uint64_t first = thread_index() * run_bases;
  if (first >= count) return;
  const std::uint64_t mine = count - first < run_bases ? count - first : run_bases;
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
  if (!aligned || mine % 8 != 0) return synthetic::write_bases(plan, begin + first, mine, out + first);
  synthetic::Cursor cursor(plan);
  auto* eights = reinterpret_cast<std::uint64_t*>(out + first);
  for (std::uint64_t i = 0; i < mine; i += 8) {
    std::uint64_t eight = 0;
    for (unsigned k = 0; k < 8; ++k) eight |= std::uint64_t{cursor.letter_at(begin + first + i + k)} << 8 * k;
    eights[i / 8] = eight;
  }
}

}  // namespace

void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, char* device_bases, std::uint64_t count,
                     const Stream& stream) {
  const std::uint64_t end = begin + count;
  if (end < begin || end > genome.length) throw std::invalid_argument("synthetic_letters: past the genome's end");
  const auto plan = synthetic::make_plan(genome);
  launch("write_bases_kernel", write_bases_kernel, (count + run_bases - 1) / run_bases, stream, plan, begin, count,
         device_bases);
}

text::cuda::PackedBases synthetic_text(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins,
                                       const Stream& stream) {
  Buffer<char> bases(genome.length, stream);
  synthetic_bases(genome, 0, bases.data(), genome.length, stream);
  return text::cuda::pack_bases(bases.view(), contig_begins, stream);
}

void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> bases,
                     const Backend& backend) {
  constexpr std::uint64_t batch = std::uint64_t{1} << 30;  // bases generated at once
  const Stream stream(backend);
  Buffer<char> made(std::min<std::uint64_t>(bases.size(), batch), stream);
  for (std::uint64_t done = 0; done < bases.size();) {
    const std::uint64_t count = std::min<std::uint64_t>(bases.size() - done, batch);
    synthetic_bases(genome, begin + done, made.data(), count, stream);
    stream.wait();  // download() uses streams of its own
    download(bases.data() + done, made.data(), count, stream.pool(), backend.threads);
    done += count;
  }
}

text::Genome synthetic_genome(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins,
                              const Backend& backend) {
  const Stream stream(backend);
  stream.pool().require(2 * genome.length, "making a synthetic genome");
  return text::cuda::to_host(synthetic_text(genome, contig_begins, stream), contig_begins, backend);
}

}  // namespace warpseed::simulate::cuda
