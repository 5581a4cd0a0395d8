// The counts of duplicate marking.
#pragma once

#include <cstdint>

namespace warpseed::records {

/// Counts of compared reads: those that are mapped and passed the filters. A read whose mate is unmapped is single.
struct DuplicateCounts {
  std::uint64_t of_pairs = 0, single = 0;
  std::uint64_t of_pairs_marked = 0, single_marked = 0;

  DuplicateCounts& operator+=(const DuplicateCounts& other) {
    of_pairs += other.of_pairs, single += other.single;
    of_pairs_marked += other.of_pairs_marked, single_marked += other.single_marked;
    return *this;
  }

  std::uint64_t compared() const { return of_pairs + single; }
  std::uint64_t marked() const { return of_pairs_marked + single_marked; }
};

}  // namespace warpseed::records
