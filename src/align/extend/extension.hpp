// What an extension is asked for and what it finds.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::align {

/// The codes of a read or a stretch of genome, walked forwards or backwards from a seed.
struct Strand {
  const std::uint8_t* first = nullptr;
  std::int32_t length = 0;
  std::int32_t step = 1;  // from code to code; below 0: `first` is the last code and the walk goes left

  WS_HD std::uint8_t operator[](std::int32_t i) const { return first[i * step]; }
};

/// Where an extension may end. Scores include the start score. Lengths are bases consumed.
struct Extension {
  std::int32_t best_score = 0;  // the best end anywhere, possibly nothing extended
  std::int32_t best_query = 0, best_genome = 0;
  std::int32_t full_score = -1;  // the best end with the whole query consumed; -1 where that was not reached
  std::int32_t full_genome = 0;
};

/// An extension without gaps.
struct UngappedExtension {
  Extension ends;
  std::int32_t loss = 0;    // what it costs against a query that matches throughout
  std::int32_t lowest = 0;  // the lowest score on the way, that of the start included
};

}  // namespace warpseed::align
