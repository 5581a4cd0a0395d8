// diagonal_score() by eight bases at a time, for a CPU: most diagonals are by chance and full of differences.
//
// What eight bases do to a best sum (Kadane's recurrence) depends on which of them differ alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "align/diagonal_core.hpp"

namespace warpseed {

class DiagonalTable {
 public:
  explicit DiagonalTable(const Scoring& scoring) {
    for (std::uint32_t differ = 0; differ < steps_.size(); ++differ) {
      Step& step = steps_[differ];
      for (int i = 7; i >= 0; --i) {
        const std::int32_t value = (differ >> i & 1) != 0 ? -scoring.mismatch : scoring.match;
        step.total += value;
        step.from_left = std::max(step.from_left, step.total);
        step.from_inside = std::max(step.from_inside + value, 0);
        step.within = std::max(step.within, step.from_inside);
      }
    }
  }

  /// As diagonal_score().
  std::int32_t score(const PackedRead& read, const DiagonalStretch& stretch, const PackedView& text) const {
    std::int32_t score = 0, best = 0;
    for (std::uint32_t at = stretch.begin; at < stretch.end; at += 32) {
      const std::uint64_t other = window(read.bases, at) ^ window(text, stretch.place + at - stretch.begin);
      std::uint64_t differ = other | other >> 1 | window(read.unknown, at);
      if (stretch.end - at < 32) differ |= ~std::uint64_t{0} >> 2 * (stretch.end - at);  // what is behind gains nothing
      const std::uint64_t bytes = squeeze(differ);
      for (const unsigned shift : {48U, 32U, 16U, 0U}) {
        const Step& step = steps_[bytes >> shift & 0xFF];
        best = std::max({best, score + step.from_left, step.within});
        score = std::max(score + step.total, step.from_inside);
      }
    }
    return best;
  }

 private:
  /// What eight bases do to the best sum that ends before them.
  struct Step {
    std::int32_t total = 0;        // added to it
    std::int32_t from_left = 0;    // the most that is added to it on the way
    std::int32_t from_inside = 0;  // the best sum that begins in the eight and ends behind them
    std::int32_t within = 0;       // the best sum of some of the eight
  };

  /// PackedView::window() without its branch, which chance decides here.
  static std::uint64_t window(const PackedView& packed, std::uint64_t i) {
    const unsigned shift = 2 * static_cast<unsigned>(i % 32);
    return packed.words[i / 32] << shift | packed.words[i / 32 + 1] >> 1 >> (63 - shift);
  }

  /// The lowest bits of pairs, put together by eight: each 16 bits of the result hold eight of them.
  static std::uint64_t squeeze(std::uint64_t pairs) {
    pairs &= 0x5555555555555555ULL;
    pairs = (pairs | pairs >> 1) & 0x3333333333333333ULL;
    pairs = (pairs | pairs >> 2) & 0x0F0F0F0F0F0F0F0FULL;
    return (pairs | pairs >> 4) & 0x00FF00FF00FF00FFULL;
  }

  std::array<Step, 256> steps_;
};

}  // namespace warpseed
