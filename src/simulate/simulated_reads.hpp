// Made-up pairs of reads of known origin, each by its number: the same on the CPU and on a device.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/backend.hpp"
#include "core/host_device.hpp"
#include "simulate/synthetic_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::simulate {

/// Pairs as a sequencer gives them: the first mate reads one strand of a fragment from its 5' end, the second mate the
/// other strand. Every base is replaced by another one with probability `error`; there are no gaps.
struct ReadSimulation {
  std::uint64_t seed = 1;
  std::uint32_t length = 150;                                              // of a read
  std::uint32_t mean = 400, deviation = 60;                                // of fragments; none is shorter than a read
  std::uint32_t error = static_cast<std::uint32_t>(0.005 * 4294967296.0);  // in 2^32

  friend bool operator==(const ReadSimulation&, const ReadSimulation&) = default;
};

/// Where a pair comes from.
struct SimulatedFragment {
  TextPos begin = 0;
  std::uint32_t length = 0;
  bool reversed = false;  // the first mate reads the reverse strand

  /// Does a mate (0 or 1) read the reverse strand?
  WS_HD bool reverse(unsigned mate) const { return reversed != (mate == 1); }
  /// The leftmost base of a mate.
  WS_HD TextPos mate_begin(unsigned mate, std::uint32_t read_length) const {
    return reverse(mate) ? begin + length - read_length : begin;
  }
};

/// The fragment of a pair: it lies in one segment. The genome must have room, see require_room().
WS_HD inline SimulatedFragment simulated_fragment(const text::GenomeView& genome, const ReadSimulation& simulation,
                                                  std::uint64_t pair) {
  const std::uint64_t key = synthetic::mix_bits(synthetic::mix_bits(simulation.seed) ^ pair);
  SimulatedFragment fragment;
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::uint64_t position = synthetic::mix_bits(key + 2 * attempt),
                        size = synthetic::mix_bits(key + 2 * attempt + 1);
    // Four even numbers add up to something like a normal one with the deviation 2^16 / sqrt(3).
    std::int64_t sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += static_cast<std::int64_t>(size >> (16 * i) & 0xFFFF);
    constexpr std::int64_t root_3 = 113512;  // in 2^16
    const std::int64_t wanted =
        simulation.mean + (((sum - 2 * 0xFFFF) * static_cast<std::int64_t>(simulation.deviation) * root_3) >> 32);
    fragment.length = wanted > simulation.length ? static_cast<std::uint32_t>(wanted) : simulation.length;
    fragment.reversed = position % 2 != 0;
    fragment.begin = (position >> 1) % genome.text.size;
    if (fragment.begin + fragment.length <= genome.separator_of(text::segment_at(genome, fragment.begin)))
      return fragment;
  }
}

/// Base i of a mate (0 or 1) as the sequencer gives it: a code 0..3.
WS_HD inline std::uint8_t simulated_code(const text::GenomeView& genome, const ReadSimulation& simulation,
                                         const SimulatedFragment& fragment, std::uint64_t pair, unsigned mate,
                                         std::uint32_t i) {
  const bool reverse = fragment.reverse(mate);
  const TextPos position = fragment.mate_begin(mate, simulation.length) + (reverse ? simulation.length - 1 - i : i);
  const std::uint8_t base = genome.text[position];
  const std::uint8_t read = reverse ? text::complement(base) : base;
  const std::uint64_t tie_break =
      synthetic::mix_bits(synthetic::mix_bits(simulation.seed + 0x5EED) ^ ((2 * pair + mate) << 16 | i));
  if (static_cast<std::uint32_t>(tie_break) >= simulation.error) return read;
  return static_cast<std::uint8_t>((read + 1 + (tie_break >> 32) % 3) % 4);
}

/// Throws InputError unless a hundredth of the genome's bases, at least, may begin a fragment of the longest kind.
void require_room(const text::GenomeView& genome, const ReadSimulation& simulation);

/// The letters of a mate.
std::string simulated_bases(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t pair,
                            unsigned mate);

/// The letters of pairs from `first_pair` on, mate by mate, as many as there is room for: a whole number. The same on every
/// backend. Throws BackendError.
void simulated_pairs(const text::GenomeView& genome, const ReadSimulation& simulation, std::uint64_t first_pair,
                     std::span<char> bases, const Backend& backend);

/// The name of a pair in dwgsim's form, which says where both mates come from:
/// contig_start1_start2_strand1_strand2_0_0_0:0:0_0:0:0_number, starts 1-based, strand 1 the reverse one.
/// name_of: the name of a contig by its number.
std::string simulated_name(const text::GenomeView& genome,
                           const std::function<std::string_view(std::uint64_t)>& name_of,
                           const ReadSimulation& simulation, std::uint64_t pair);

}  // namespace warpseed::simulate
