// A genome for simulated pairs, and their names written out once more.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "align/alignment_oracle.hpp"
#include "simulate/simulated_reads.hpp"
#include "text/genome.hpp"

namespace warpseed::test {

/// Three contigs, the last one with a run of N.
inline text::Genome genome_with_gaps(std::mt19937& rng) {
  text::GenomeBuilder builder;
  for (const std::size_t length : {5000U, 300U, 9000U}) {
    builder.begin_contig(std::to_string(length));
    std::vector<std::uint8_t> codes = random_codes(length, 4, rng);
    if (length == 9000) std::fill(codes.begin() + 4000, codes.begin() + 4100, text::code_n);
    builder.add_codes(codes);
  }
  return builder.finish();
}

/// As FastqPairs names a pair, without its mates' numbers. name_of: the name of a contig by its index.
inline std::string simulated_name(const text::GenomeView& genome,
                                  const std::function<std::string_view(std::uint64_t)>& name_of,
                                  const simulate::ReadSimulation& simulation, std::uint64_t pair) {
  const simulate::SimulatedFragment fragment = simulate::simulated_fragment(genome, simulation, pair);
  const auto position = [&](unsigned mate) {
    return text::to_genome(genome, fragment.mate_begin(mate, simulation.length));
  };
  const std::uint64_t contig = text::contig_at(genome, position(0));
  const auto start = [&](unsigned mate) { return position(mate) - genome.contig_begins[contig] + 1; };
  const std::uint64_t original = simulate::original_pair(simulation, pair);
  return fmt::format("{}_{}_{}_{:d}_{:d}_0_0_0:0:0_0:0:0_{:x}{}", name_of(contig), start(0), start(1),
                     fragment.reverse(0), fragment.reverse(1), pair,
                     original == pair ? std::string() : fmt::format("x{:x}", original));
}

}  // namespace warpseed::test
