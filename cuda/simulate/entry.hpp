// The CUDA functions that src/simulate calls: generating synthetic genomes and simulated reads on a device.
// Defined by cuda/simulate/*.cu with CUDA, else by cuda/simulate/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "simulate/simulated_reads.hpp"
#include "simulate/synthetic.hpp"
#include "text/genome.hpp"

namespace warpseed::simulate::cuda {

/// simulate/synthetic.hpp; the genome has no names.
void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> bases, const Backend& backend);
text::Genome synthetic_genome(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins,
                              const Backend& backend);

/// simulate/simulated_reads.hpp
void simulated_pairs(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> bases, const Backend& backend);

}  // namespace warpseed::simulate::cuda
