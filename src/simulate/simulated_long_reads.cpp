#include "simulate/simulated_long_reads.hpp"

#include <algorithm>

#include "simulate/synthetic_core.hpp"
#include "text/alphabet.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate {

namespace {

/// Random numbers of one read.
class Randoms {
 public:
  explicit Randoms(std::uint64_t key) : state_(key) {}
  std::uint64_t next() { return synthetic::mix_bits(state_++); }
  bool happens(std::uint32_t probability) { return static_cast<std::uint32_t>(next() >> 32) < probability; }
  std::uint8_t base() { return static_cast<std::uint8_t>(next() >> 62); }

 private:
  std::uint64_t state_;
};

constexpr std::uint32_t share(double of_one) {
  return static_cast<std::uint32_t>(of_one * 4294967296.0);
}

/// The codes of text positions [begin, end) with errors.
std::string with_errors(const text::PackedView& text, TextPos begin, TextPos end, std::uint32_t error,
                        Randoms& random) {
  std::string codes;
  for (TextPos at = begin; at < end; ++at) {
    if (!random.happens(error)) {
      codes += static_cast<char>(text[at]);
      continue;
    }
    const auto kind = static_cast<std::uint32_t>(random.next() >> 32);
    if (kind < share(0.4)) {
      codes += static_cast<char>((text[at] + 1 + random.next() % 3) % 4);
    } else if (kind < share(0.65)) {
      do codes += static_cast<char>(random.base());
      while (random.happens(share(0.3)));
      codes += static_cast<char>(text[at]);
    } else {
      while (at + 1 < end && random.happens(share(0.3))) ++at;
    }
  }
  return codes;
}

}  // namespace

SimulatedLongRead simulated_long_read(const text::GenomeView& genome, const LongReadSimulation& simulation,
                                      std::uint64_t number) {
  constexpr unsigned most_attempts = 10000;
  Randoms random(synthetic::mix_bits(synthetic::mix_bits(simulation.seed) ^ number));
  for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
    const std::uint64_t length =
        std::max<std::uint64_t>(simulation.mean / 2 + random.next() % (simulation.mean + 1ULL), 1);
    const TextPos begin = random.next() % std::max<std::uint64_t>(genome.text.size, 1);
    if (begin + length > genome.separator_of(text::segment_at(genome, begin))) continue;
    SimulatedLongRead read;
    const GenomePos origin = text::to_genome(genome, begin);
    read.contig = static_cast<std::uint32_t>(text::contig_at(genome, origin));
    read.begin = origin - genome.contig_begins[read.contig], read.end = read.begin + length;
    read.reverse = random.next() >> 63 != 0;
    read.bases = with_errors(genome.text, begin, begin + length, simulation.error, random);
    if (read.reverse) std::reverse(read.bases.begin(), read.bases.end());
    for (char& base : read.bases) {
      const auto code = static_cast<std::uint8_t>(base);
      base = text::base_of_code(read.reverse ? text::complement(code) : code);
    }
    return read;
  }
  throw InputError("the genome has hardly room for reads of this length; make them shorter");
}

}  // namespace warpseed::simulate
