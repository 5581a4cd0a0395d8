// The pairs of alignments that may be proper, on the CPU: mates in a repeat have hundreds, nearly all far apart.
#pragma once

#include <algorithm>
#include <cstdint>

#include "align/pair/pair_core.hpp"

namespace warpseed::align {

/// Calls visit(i, j) for alignments of two mates whose fragment ends are near enough for a proper pair.
struct NearPairs {
  std::int64_t most;  // largest_distance()

  template <class Visit>
  void operator()(const MateLists& mates, Visit visit) const {
    const MateList &a = mates.first, &b = mates.second;
    constexpr std::uint32_t chunk = 64;
    std::int64_t ends[chunk];  // of the second mate's alignments, next to each other
    for (std::uint32_t begin = 0; most >= 0 && begin < b.count; begin += chunk) {
      const std::uint32_t count = std::min(chunk, b.count - begin);
      for (std::uint32_t j = 0; j < count; ++j) ends[j] = fragment_end(b.alignments[begin + j], b.length);
      for (std::uint32_t i = 0; i < a.count; ++i) {
        const std::int64_t end = fragment_end(a.alignments[i], a.length);
        for (std::uint32_t j = 0; j < count; ++j) {
          if (is_near(ends[j] - end, most)) visit(i, begin + j);
        }
      }
    }
  }
};

}  // namespace warpseed::align
