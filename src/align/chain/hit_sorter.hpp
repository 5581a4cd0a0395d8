// Sorts the hits of a read by position on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/chain/chain_core.hpp"

namespace warpseed::align {

/// Sorts hits as sort_hits() does. Many hits are sorted by radix, which has no branches to mispredict: strand and
/// position are a number, and few bytes of it differ between hits.
/// Cost: O(hits) for each byte of the genome's size. Reuses its memory. Threads: one sorter per thread.
class HitSorter {
 public:
  void sort(std::span<SeedHit> hits);

 private:
  struct Key {
    std::uint64_t place = 0;  // genome position, and the highest bit for the reverse strand
    std::uint32_t hit = 0;
  };

  void sort_keys();

  std::vector<Key> keys_, spare_keys_;
  std::vector<SeedHit> sorted_;
};

}  // namespace warpseed::align
