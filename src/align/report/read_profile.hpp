// Lengths, GC content and base qualities of reads as they were sequenced.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "reads/read_batch.hpp"

namespace warpseed::align {

/// Base qualities of the reads at one position; quartiles are the smallest qualities that at least so many quarters of
/// the bases do not exceed.
struct QualityPoint {
  std::uint64_t bases = 0;
  double mean = 0;
  unsigned lower_quartile = 0, median = 0, upper_quartile = 0;
};

/// Holds only sums, so the result does not depend on the order of additions. All reads count, mapped or not.
/// Memory: 752 bytes a position, 0.75 MB at most. Cost: an addition a base. Threads: one profile per thread; those of
/// several threads are added up.
class ReadProfile {
 public:
  static constexpr std::size_t max_positions = 1000;  // qualities of later bases are not counted
  static constexpr std::size_t quality_count = 94;    // '!' to '~'

  /// by_position: whether to count the qualities, too.
  void add(const reads::ReadView& read, bool by_position = true);
  ReadProfile& operator+=(const ReadProfile& other);

  /// All sums, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.reads, self.bases, self.qualities_, self.gc_);
  }

  /// By 0-based position in the read; the size is that of the longest read with qualities, or max_positions.
  std::vector<QualityPoint> qualities() const;

  /// Reads by their share of G and C in A, C, G and T, in percent. Of n bases there are n + 1 shares, which are spread
  /// evenly over the 101 of the histogram: rounded ones would leave holes and peaks. Rounded to whole reads.
  std::array<std::uint64_t, 101> gc_percent() const;

  std::uint64_t reads = 0, bases = 0;

 private:
  void add_gc(std::string_view sequence);

  std::vector<std::uint64_t> qualities_;  // [positions * quality_count]
  std::array<std::uint64_t, 101> gc_{};   // in 101ths of a read
};

}  // namespace warpseed::align
