// The score of a read on a diagonal, eight bases at a time: most diagonals are chance matches full of differences.
//
// The effect of eight bases on a best sum (Kadane's recurrence) depends only on which of them differ.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/chain/diagonal_core.hpp"

namespace warpseed::align {

/// The effect of eight bases on the best sum that ends before them.
struct DiagonalStep {
  std::int32_t total = 0;        // added to that sum
  std::int32_t from_left = 0;    // the maximum added to it within the eight
  std::int32_t from_inside = 0;  // the best sum that begins within the eight and reaches their end
  std::int32_t within = 0;       // the best sum within the eight
};

constexpr std::uint32_t diagonal_steps = 256;  // indexed by which of the eight differ, the first in the highest bit

class DiagonalScoreTable {
 public:
  explicit DiagonalScoreTable(const Scoring& scoring) {
    for (std::uint32_t differ = 0; differ < diagonal_steps; ++differ) steps_[differ] = step_of(differ, scoring);
  }

  WS_HD const DiagonalStep* steps() const { return steps_; }

 private:
  static DiagonalStep step_of(std::uint32_t differ, const Scoring& scoring) {
    DiagonalStep step;
    const auto larger = [](std::int32_t a, std::int32_t b) { return a > b ? a : b; };
    for (int i = 7; i >= 0; --i) {
      const std::int32_t value = (differ >> i & 1) != 0 ? -scoring.mismatch : scoring.match;
      step.total += value;
      step.from_left = larger(step.from_left, step.total);
      step.from_inside = larger(step.from_inside + value, 0);
      step.within = larger(step.within, step.from_inside);
    }
    return step;
  }

  DiagonalStep steps_[diagonal_steps];
};

/// Packs the lowest bits of pairs: each 16 bits of the result hold eight of them.
WS_HD inline std::uint64_t pack_even_bits(std::uint64_t pairs) {
  pairs &= 0x5555555555555555ULL;
  pairs = (pairs | pairs >> 1) & 0x3333333333333333ULL;
  pairs = (pairs | pairs >> 2) & 0x0F0F0F0F0F0F0F0FULL;
  return (pairs | pairs >> 4) & 0x00FF00FF00FF00FFULL;
}

/// The best score of any part of the stretch. Cost: a few operations for eight bases. steps: of a DiagonalScoreTable,
/// [diagonal_steps].
WS_HD inline std::int32_t diagonal_score(const PackedStrand& read, const DiagonalStretch& stretch,
                                         const text::PackedView& text, const DiagonalStep* steps) {
  std::int32_t score = 0, best = 0;
  for (std::uint32_t at = stretch.begin; at < stretch.end; at += 32) {
    const std::uint64_t other =
        window_branchless(read.bases, at) ^ window_branchless(text, stretch.position + at - stretch.begin);
    std::uint64_t differ = other | other >> 1 | window_branchless(read.unknown, at);
    if (stretch.end - at < 32) differ |= ~std::uint64_t{0} >> 2 * (stretch.end - at);  // past the end: no gain
    const std::uint64_t bytes = pack_even_bits(differ);
    for (int shift = 48; shift >= 0; shift -= 16) {
      const DiagonalStep step = steps[bytes >> shift & 0xFF];
      const std::int32_t peak = score + step.from_left, total = score + step.total;
      best = peak > best ? peak : best;
      best = step.within > best ? step.within : best;
      score = total > step.from_inside ? total : step.from_inside;
    }
  }
  return best;
}

}  // namespace warpseed::align
