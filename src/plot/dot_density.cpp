#include "plot/dot_density.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpseed::plot {

namespace {

constexpr std::uint32_t full = std::numeric_limits<std::uint32_t>::max();

/// a + (b - a) * step / steps, rounded down, for step <= steps.
std::uint32_t between(std::uint32_t a, std::uint32_t b, std::uint32_t step, std::uint32_t steps) {
  if (steps == 0) return a;
  const std::uint64_t weighted = std::uint64_t{a} * (steps - step) + std::uint64_t{b} * step;
  return static_cast<std::uint32_t>(weighted / steps);
}

}  // namespace

void DotDensity::count_cell(std::uint32_t x, std::uint32_t y) {
  std::uint32_t& count = counts_[std::size_t{y} * side_ + x];
  if (count < full) ++count;
}

void DotDensity::add_line(std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1) {
  if (counts_.empty()) counts_.resize(std::size_t{side_} * side_);
  if (x0 == x1 && y0 == y1) return count_cell(x0, y0);  // nearly all lines
  const std::uint32_t steps = std::max(std::max(x0, x1) - std::min(x0, x1), std::max(y0, y1) - std::min(y0, y1));
  for (std::uint32_t step = 0; step <= steps; ++step) {
    count_cell(between(x0, x1, step, steps), between(y0, y1, step, steps));
  }
}

void DotDensity::coarsen_to(std::uint64_t most) {
  while (side_ > 1 && runs().size() > most) {
    const std::uint32_t half = side_ / 2;
    std::vector<std::uint32_t> joined(std::size_t{half} * half);
    for (std::uint32_t y = 0; y < half; ++y) {
      for (std::uint32_t x = 0; x < half; ++x) {
        const std::size_t low = std::size_t{2 * y} * side_ + 2 * x, high = low + side_;
        const std::uint64_t sum = std::uint64_t{counts_[low]} + counts_[low + 1] + counts_[high] + counts_[high + 1];
        joined[std::size_t{y} * half + x] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, full));
      }
    }
    counts_ = std::move(joined);
    side_ = half;
  }
}

std::vector<DotDensity::Run> DotDensity::runs() const {
  std::vector<Run> runs;
  if (counts_.empty()) return runs;
  const auto max_digits = static_cast<unsigned>(std::bit_width(*std::max_element(counts_.begin(), counts_.end())));
  const auto digit_levels = std::max(levels, max_digits);
  for (std::uint32_t y = 0; y < side_; ++y) {
    for (std::uint32_t x = 0; x < side_; ++x) {
      const std::uint32_t count = counts_[std::size_t{y} * side_ + x];
      if (count == 0) continue;
      const unsigned level = (static_cast<unsigned>(std::bit_width(count)) * levels + digit_levels - 1) / digit_levels;
      if (!runs.empty() && runs.back().y == y && runs.back().x_end == x && runs.back().level == level)
        ++runs.back().x_end;
      else
        runs.push_back({y, x, x + 1, level});
    }
  }
  return runs;
}

}  // namespace warpseed::plot
