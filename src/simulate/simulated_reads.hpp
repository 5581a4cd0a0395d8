// Simulated read pairs of known origin, each computed from its number: the same on the CPU and on a device.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/backend.hpp"
#include "core/host_device.hpp"
#include "simulate/synthetic_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::simulate {

/// Pairs as from a sequencer: the first mate reads one strand of a fragment from its 5' end, the second mate the other
/// strand. Every base is substituted with probability `error`; there are no gaps.
struct ReadSimulation {
  std::uint64_t seed = 1;
  std::uint32_t length = 150;                                              // of a read
  std::uint32_t mean = 400, deviation = 60;                                // of fragments; at least the read length
  std::uint32_t error = static_cast<std::uint32_t>(0.005 * 4294967296.0);  // units of 2^-32
  std::uint32_t duplicates = 0;  // share of pairs that have the fragment of an earlier one; units of 2^-32

  friend bool operator==(const ReadSimulation&, const ReadSimulation&) = default;
};

/// Pairs between a duplicate and the pair whose fragment it has, at most.
constexpr std::uint64_t duplicate_distance = 1 << 16;

/// The first pair that has the fragment of `pair`: itself unless it is a duplicate, else an earlier one. A duplicate's
/// errors are its own.
WS_HD inline std::uint64_t original_pair(const ReadSimulation& simulation, std::uint64_t pair) {
  while (simulation.duplicates != 0 && pair != 0) {
    const std::uint64_t random = synthetic::mix_bits(synthetic::mix_bits(simulation.seed + 0xD0B1E) ^ pair);
    if (static_cast<std::uint32_t>(random) >= simulation.duplicates) break;
    pair -= 1 + (random >> 32) % (pair < duplicate_distance ? pair : duplicate_distance);
  }
  return pair;
}

/// The origin of a pair.
struct SimulatedFragment {
  TextPos begin = 0;
  std::uint64_t segment = 0;  // of `begin`
  std::uint32_t length = 0;
  bool reversed = false;  // the first mate reads the reverse strand

  /// True if a mate (0 or 1) reads the reverse strand.
  WS_HD bool reverse(unsigned mate) const { return reversed != (mate == 1); }
  /// The leftmost base of a mate.
  WS_HD TextPos mate_begin(unsigned mate, std::uint32_t read_length) const {
    return reverse(mate) ? begin + length - read_length : begin;
  }
};

/// The fragment of a pair, within one segment. The genome must have room, see require_room().
WS_HD inline SimulatedFragment simulated_fragment(const text::GenomeView& genome, const ReadSimulation& simulation,
                                                  std::uint64_t pair) {
  const std::uint64_t key = synthetic::mix_bits(synthetic::mix_bits(simulation.seed) ^ original_pair(simulation, pair));
  SimulatedFragment fragment;
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::uint64_t position = synthetic::mix_bits(key + 2 * attempt),
                        size = synthetic::mix_bits(key + 2 * attempt + 1);
    // The sum of four uniform numbers is roughly normal, with a standard deviation of 2^16 / sqrt(3).
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += static_cast<std::int64_t>(size >> (16 * i) & 0xFFFF);
    constexpr std::int64_t root_3 = 113512;  // units of 2^-16
    const std::int64_t wanted =
        simulation.mean + (((sum - 2 * 0xFFFF) * static_cast<std::int64_t>(simulation.deviation) * root_3) >> 32);
    fragment.length = wanted > simulation.length ? static_cast<std::uint32_t>(wanted) : simulation.length;
    fragment.reversed = position % 2 != 0;
    fragment.begin = (position >> 1) % genome.text.size;
    fragment.segment = text::segment_at(genome, fragment.begin);
    if (fragment.begin + fragment.length <= genome.separator_of(fragment.segment)) return fragment;
  }
}

/// What the random number of each base is derived from.
WS_HD inline std::uint64_t error_key(const ReadSimulation& simulation) {
  return synthetic::mix_bits(simulation.seed + 0x5EED);
}

/// Another base, by the upper half of a random number.
WS_HD inline std::uint8_t substituted(std::uint8_t code, std::uint64_t random) {
  return static_cast<std::uint8_t>((code + 1 + (random >> 32) % 3) % 4);
}

/// Base i of a mate (0 or 1) as sequenced: a code 0..3.
WS_HD inline std::uint8_t simulated_code(const text::GenomeView& genome, const ReadSimulation& simulation,
                                         const SimulatedFragment& fragment, std::uint64_t pair, unsigned mate,
                                         std::uint32_t i) {
  const bool reverse = fragment.reverse(mate);
  const TextPos position = fragment.mate_begin(mate, simulation.length) + (reverse ? simulation.length - 1 - i : i);
  const std::uint8_t base = genome.text[position];
  const std::uint8_t read = reverse ? text::complement(base) : base;
  const std::uint64_t random = synthetic::mix_bits(error_key(simulation) ^ ((2 * pair + mate) << 16 | i));
  return static_cast<std::uint32_t>(random) < simulation.error ? substituted(read, random) : read;
}

/// Throws InputError unless at least a hundredth of the genome's bases can begin a fragment of maximum length.
void require_room(const text::GenomeView& genome, const ReadSimulation& simulation);

/// The bases of a mate.
std::string simulated_bases(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t pair,
                            unsigned mate);

/// Writes the bases of pairs from `first_pair` on, mate by mate, until `bases` is full, which must hold whole pairs.
/// The same on every backend. Throws BackendError.
void simulated_pairs(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> bases, const Backend& backend);

}  // namespace warpseed::simulate
