// Intervals of a contig.
#pragma once

#include <cstdint>

namespace warpseed::text {

/// Positions [begin, end), 0-based.
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend auto operator<=>(const Interval&, const Interval&) = default;
};

}  // namespace warpseed::text
