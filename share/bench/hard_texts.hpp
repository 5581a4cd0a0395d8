// Texts that are hard to sort for different reasons.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed {

/// Parameters of a text, which is held in memory.
struct HardText {
  std::string kind;  // "one-letter": A only; "fibonacci": the Fibonacci word of A and C; "random": ACGT, evenly;
                     // "period": repeats of a random unit of `unit` bases; "repeat": the same, meant for long units
  std::uint64_t length = 0;
  std::uint64_t unit = 0;
  std::uint64_t seed = 1;
};

/// Throws InputError for an unknown kind, or a unit of 0 if the kind needs one.
std::string hard_text(const HardText& text);

/// `length` bytes: repeats of `original`, in which each byte is replaced with probability `rate` by a random byte of
/// `original`. Throws InputError if `original` is empty or `rate` is outside [0, 1].
std::string mutated_copies(const std::string& original, std::uint64_t length, double rate, std::uint64_t seed);

}  // namespace warpseed
