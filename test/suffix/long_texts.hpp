// Texts on which a suffix sort has the most to do.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "oracle.hpp"

namespace warpseed::test {

/// Longer than the buckets that one thread sorts on the CPU, and with the longest ties.
inline std::vector<NamedText> long_texts() {
  std::mt19937 rng(31);
  const std::string unit = random_bases(171, 4, rng), random = random_bases(60'000, 4, rng);
  std::string period;
  while (period.size() < 150'000) period += unit;
  Contigs tiny;
  for (int i = 0; i < 100'000; ++i) tiny.push_back(random_bases(1 + rng() % 3, 4, rng));
  return {{"one base", {std::string(300'000, 'A')}},
          {"the last base and others", {std::string(100'000, 'T') + random + std::string(100'000, 'T')}},
          {"Fibonacci", {fibonacci_bases(200'000)}},
          {"a period of 171", {period}},
          {"the same 60,000 bases four times", {random + random + random, random}},
          {"100,000 contigs", tiny},
          {"contigs of repeats", big_text(200'000, 17)}};
}

}  // namespace warpseed::test
