// How many matches touch each cell of a coarse grid: what a dot plot shows of matches too many to be drawn singly.
#pragma once

#include <cstdint>
#include <vector>

namespace warpseed::plot {

/// A grid of `side` x `side` counters. x counts to the right, y upwards.
class DotDensity {
 public:
  static constexpr unsigned levels = 8;

  /// Neighbouring cells of a row that look the same: [x_begin, x_end) of row y.
  struct Run {
    std::uint32_t y = 0, x_begin = 0, x_end = 0;
    unsigned level = 0;  // 1..levels
  };

  /// side: a power of two.
  explicit DotDensity(std::uint32_t side) : side_(side) {}

  /// Counts every cell that the line between two cells goes through. Takes its memory (4 bytes a cell) at the first.
  void add_line(std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1);

  /// Joins cells by four, until there are at most `most` runs.
  void coarsen_to(std::uint64_t most);

  /// Row by row. A cell's level is the number of binary digits of its count; where the largest count has more of them
  /// than there are levels, it is scaled down to fit.
  std::vector<Run> runs() const;

  bool empty() const { return counts_.empty(); }
  std::uint32_t side() const { return side_; }

 private:
  void count_cell(std::uint32_t x, std::uint32_t y);

  std::uint32_t side_;
  std::vector<std::uint32_t> counts_;  // [side * side], rows upwards; stops at the largest number
};

}  // namespace warpseed::plot
