// Ends that a search on the CPU has found, with the patterns they belong to.
#pragma once

#include <cstdint>
#include <vector>

#include "approximate/differences.hpp"

namespace warpseed::approximate {

struct FoundEnd {
  std::uint32_t pattern = 0;  // number in the StrandBatch
  AlignmentEnd end;

  friend auto operator<=>(const FoundEnd&, const FoundEnd&) = default;
};

/// Sorts by pattern and end, and keeps the fewest differences of each end. Many are sorted by the threads of the caller's
/// task arena.
void keep_best(std::vector<FoundEnd>& found);

}  // namespace warpseed::approximate
