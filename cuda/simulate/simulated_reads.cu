#include "simulate/simulated_reads.hpp"

#include <algorithm>

#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "simulate/entry.hpp"
#include "text/alphabet.hpp"
#include "text/device_genome.cuh"

namespace warpseed::simulate::cuda {

namespace {

constexpr std::uint64_t bytes_at_a_time = std::uint64_t{1} << 30;  // of bases

/// One thread per base.
__global__ void write_reads_kernel(text::GenomeView genome, ReadSimulation simulation, std::uint64_t first_pair,
                                   std::uint64_t count, char* bases) {
  const std::uint64_t at = thread_index();
  if (at >= count) return;
  const std::uint64_t read = at / simulation.length, pair = first_pair + read / 2;
  const SimulatedFragment fragment = simulated_fragment(genome, simulation, pair);
  const auto i = static_cast<std::uint32_t>(at % simulation.length);
  bases[at] =
      text::base_of_code(simulated_code(genome, simulation, fragment, pair, static_cast<unsigned>(read % 2), i));
}

}  // namespace

void simulated_pairs(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> bases, const Backend& backend) {
  const std::uint64_t pair_bases = 2 * std::uint64_t{simulation.length};
  const std::uint64_t most = std::max<std::uint64_t>(bytes_at_a_time / pair_bases, 1) * pair_bases;
  const Stream stream(backend);
  const text::cuda::DeviceGenome on_device(genome, stream, backend.threads);
  Buffer<char> made(std::min<std::uint64_t>(bases.size(), most), stream);
  for (std::uint64_t done = 0; done < bases.size(); done += most) {
    const std::uint64_t count = std::min<std::uint64_t>(bases.size() - done, most);
    launch("write_reads_kernel", write_reads_kernel, count, stream, on_device.view(), simulation,
           first_pair + done / pair_bases, count, made.data());
    stream.wait();  // download() uses streams of its own
    download(bases.data() + done, made.data(), count, stream.pool(), backend.threads);
  }
}

}  // namespace warpseed::simulate::cuda
