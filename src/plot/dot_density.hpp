// Counts how many matches touch each cell of a coarse grid: a dot plot shows these instead of drawing too many matches.
#pragma once

#include <cstdint>
#include <vector>

namespace warpseed::plot {

/// A grid of `side` x `side` counters. x increases to the right, y upwards.
class DotDensity {
 public:
  static constexpr unsigned levels = 8;

  /// Adjacent cells of a row that look the same: [x_begin, x_end) of row y.
  struct Run {
    std::uint32_t y = 0, x_begin = 0, x_end = 0;
    unsigned level = 0;  // 1..levels
  };

  /// side: a power of two.
  explicit DotDensity(std::uint32_t side) : side_(side) {}

  /// Counts every cell that the line between two cells crosses. The first call allocates the memory (4 bytes per cell).
  void add_line(std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1);

  /// Merges blocks of 2 x 2 cells until there are at most `most` runs.
  void coarsen_to(std::uint64_t most);

  /// The runs, row by row. A cell's level is the number of binary digits of its count, scaled down if the largest count
  /// has more digits than there are levels.
  std::vector<Run> runs() const;

  bool empty() const { return counts_.empty(); }
  std::uint32_t side() const { return side_; }

 private:
  void count_cell(std::uint32_t x, std::uint32_t y);

  std::uint32_t side_;
  std::vector<std::uint32_t> counts_;  // [side * side], rows upwards; saturating
};

}  // namespace warpseed::plot
