// The statistic that benchmarks report.
#pragma once

#include <algorithm>
#include <vector>

namespace warpseed {

/// values: at least one; for an even number the upper middle one.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace warpseed
