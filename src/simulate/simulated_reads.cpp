#include "simulate/simulated_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "simulate/entry.hpp"
#include "text/alphabet.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate {

void require_room(const text::GenomeView& genome, const ReadSimulation& simulation) {
  if (simulation.length == 0 || simulation.length > 0xFFFF) {
    throw InputError(fmt::format("simulated reads of {} bases: 1 to 65535 are possible", simulation.length));
  }
  const std::uint64_t longest = simulation.length + simulation.mean + 4 * std::uint64_t{simulation.deviation};
  std::uint64_t positions = 0;
  for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
    if (genome.segment_length(i) >= longest) positions += genome.segment_length(i) - longest + 1;
  }
  if (positions == 0 || positions < genome.text.size / 100) {
    throw InputError(
        fmt::format("too few positions for fragments of up to {} bases: {} of {} bases; take a smaller mean", longest,
                    positions, genome.text.size));
  }
}

std::string simulated_bases(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t pair,
                            unsigned mate) {
  const SimulatedFragment fragment = simulated_fragment(genome, simulation, pair);
  std::string bases(simulation.length, 'N');
  for (std::uint32_t i = 0; i < simulation.length; ++i) {
    bases[i] = text::base_of_code(simulated_code(genome, simulation, fragment, pair, mate, i));
  }
  return bases;
}

void simulated_pairs(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> bases, const Backend& backend) {
  const std::uint64_t length = simulation.length, reads = bases.size() / length;
  if (reads * length != bases.size() || reads % 2 != 0)
    throw std::invalid_argument("simulated_pairs: room for no whole number of pairs");
  if (backend.kind == BackendKind::cuda) return cuda::simulated_pairs(genome, simulation, first_pair, bases, backend);
  constexpr std::uint64_t reads_per_task = 1024;
  for_blocks(backend.threads, reads, reads_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::string read = simulated_bases(genome, simulation, first_pair + i / 2, static_cast<unsigned>(i % 2));
      std::copy(read.begin(), read.end(), bases.begin() + static_cast<std::ptrdiff_t>(i * length));
    }
  });
}

}  // namespace warpseed::simulate
