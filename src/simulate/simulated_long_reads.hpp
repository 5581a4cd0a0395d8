// Simulated long reads of known origin, with substitutions, insertions and deletions, each computed from its number.
#pragma once

#include <cstdint>
#include <string>

#include "text/genome_core.hpp"

namespace warpseed::simulate {

/// Not a model of any sequencer: errors are independent, of which 40 % are substitutions, 25 % insertions and 35 %
/// deletions; three in ten gaps are longer by one more base, and so on.
struct LongReadSimulation {
  std::uint64_t seed = 1;
  std::uint32_t mean = 15000;  // bases of the genome that a read covers: half of it to one and a half, uniformly
  std::uint32_t error = static_cast<std::uint32_t>(0.003 * 4294967296.0);  // units of 2^-32, of a base
};

/// A read as sequenced.
struct SimulatedLongRead {
  std::uint32_t contig = 0;
  std::uint64_t begin = 0, end = 0;  // in the contig
  bool reverse = false;
  std::string bases;
};

/// Read `number`, within one segment of the genome; throws InputError if hardly any of it has room.
SimulatedLongRead simulated_long_read(const text::GenomeView& genome, const LongReadSimulation& simulation,
                                      std::uint64_t number);

}  // namespace warpseed::simulate
