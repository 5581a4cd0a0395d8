// A made-up genome with the traits that make real ones hard to sort and to align to.
#pragma once

#include <cstdint>
#include <span>

namespace warpseed {

/// Letters in stretches, about two fifths of them repeats: copies of 600 families of interspersed elements
/// (300, 6,000 and 40,000 letters long; full or cut, on either strand, 0.5 to 20 % diverged from their family),
/// tandem repeats with units of 1 to 60, now and then a run of N; the rest is random.
struct SyntheticGenome {
  std::uint64_t seed = 1;
  std::uint64_t length = 0;  // letters
};

/// Writes letters [begin, begin + letters.size()) of a genome: A, C, G, T, N.
/// They depend on seed and place alone, not on `length`, on how they are cut into calls or on `threads`.
/// Throws std::invalid_argument past the genome's end.
void synthetic_letters(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> letters, int threads);

}  // namespace warpseed
