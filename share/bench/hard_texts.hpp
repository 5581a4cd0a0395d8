// Texts that are hard to sort, each for a reason of its own.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed {

/// What a text is made of; all of it stands in memory at once.
struct HardText {
  std::string kind;  // "one-letter": A alone; "fibonacci": the Fibonacci word of A and C; "random": ACGT, evenly;
      // "period": a random unit of `unit` letters again and again; "repeat": the same, meant for long ones
  std::uint64_t length = 0;
  std::uint64_t unit = 0;
  std::uint64_t seed = 1;
};

/// Throws InputError for an unknown kind, or a unit of 0 where one is wanted.
std::string hard_text(const HardText& text);

/// `length` bytes: `original` again and again, each byte with probability `rate` replaced by one that stands somewhere
/// in `original`. Throws InputError if `original` is empty or `rate` is outside [0, 1].
std::string mutated_copies(const std::string& original, std::uint64_t length, double rate, std::uint64_t seed);

}  // namespace warpseed
