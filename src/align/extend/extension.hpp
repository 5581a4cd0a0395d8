// Input and result of an extension.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::align {

/// Codes of a read or a genome interval, read forwards or backwards from a seed.
struct Strand {
  const std::uint8_t* first = nullptr;
  std::int32_t length = 0;
  std::int32_t step = 1;  // from code to code; negative: `first` is the last code and the walk goes left

  WS_HD std::uint8_t operator[](std::int32_t i) const { return first[i * step]; }
};

/// Possible ends of an extension. Scores include the start score. Lengths are bases consumed.
struct Extension {
  std::int32_t best_score = 0;  // the best end anywhere, possibly without any extension
  std::int32_t best_query = 0, best_genome = 0;
  std::int32_t full_score = -1;  // the best end with the whole query consumed; -1 if not reached
  std::int32_t full_genome = 0;
};

/// Which paths with gaps an extension seeks.
struct GapLimits {
  static constexpr std::int32_t any_loss = 1 << 30;

  std::int32_t band = 0;         // the longest gap
  std::int32_t loss = any_loss;  // paths whose end is this far below the score of matches throughout do not count

  WS_HD bool limits_loss() const { return loss < any_loss; }
  /// What remains after a loss elsewhere in the alignment.
  WS_HD GapLimits after(std::int32_t lost) const { return {band, limits_loss() ? loss - lost : loss}; }
};

/// An extension without gaps.
struct UngappedExtension {
  Extension ends;
  std::int32_t loss = 0;    // the score difference from a query that matches throughout
  std::int32_t lowest = 0;  // the lowest score on the way, including the start score
};

}  // namespace warpseed::align
