#include "align/insert_model.hpp"

#include <algorithm>
#include <cmath>

#include "align/pair_core.hpp"

namespace warpseed {

namespace {

constexpr std::int64_t longest_insert = 10000;  // beyond it mates have nothing to do with each other
constexpr std::size_t fewest_sizes = 25;

bool beyond_doubt(const PlacedRead& placed) {
  if (placed.alignments.empty()) return false;
  const Alignment& best = placed.alignments.front();
  return static_cast<double>(best.second_score) <= 0.8 * static_cast<double>(best.score);
}

}  // namespace

std::int64_t certain_insert(const PlacedRead& first, const PlacedRead& second) {
  if (!beyond_doubt(first) || !beyond_doubt(second)) return -1;
  const std::int64_t size =
      insert_size(first.alignments.front(), first.read.length(), second.alignments.front(), second.read.length());
  return size <= longest_insert ? size : -1;
}

InsertModel learn_inserts(std::vector<std::int64_t>& sizes) {
  InsertModel model;
  if (sizes.size() < fewest_sizes) return model;
  std::sort(sizes.begin(), sizes.end());
  const auto percentile = [&](double share) {
    return sizes[static_cast<std::size_t>(share * static_cast<double>(sizes.size()) + 0.499)];
  };
  const std::int64_t lower = percentile(0.25), upper = percentile(0.75), spread = upper - lower;
  const std::int64_t trusted_low = std::max<std::int64_t>(lower - 2 * spread, 1);
  const std::int64_t trusted_high = upper + 2 * spread;
  double sum = 0, squares = 0, count = 0;
  for (const std::int64_t size : sizes) {
    if (size < trusted_low || size > trusted_high) continue;
    const auto value = static_cast<double>(size);
    sum += value, squares += value * value, ++count;
  }
  model.known = true;
  model.mean = sum / count;
  model.deviation = std::max(std::sqrt(std::max(squares / count - model.mean * model.mean, 0.0)), 1.0);
  const auto at = [&](double deviations) {
    return static_cast<std::int64_t>(model.mean + deviations * model.deviation + 0.499);
  };
  model.low = std::max<std::int64_t>(std::min(lower - 3 * spread, at(-4)), 1);
  model.high = std::max(upper + 3 * spread, at(4));
  return model;
}

InsertModel given_inserts(double mean, double deviation, std::int64_t high, std::int64_t low) {
  InsertModel model;
  model.known = true;
  model.mean = mean;
  model.deviation = deviation > 0 ? deviation : std::max(0.1 * mean, 1.0);
  model.high = high > 0 ? high : static_cast<std::int64_t>(mean + 4 * model.deviation + 0.499);
  model.low = low > 0 ? low : std::max<std::int64_t>(static_cast<std::int64_t>(mean - 4 * model.deviation + 0.499), 1);
  return model;
}

}  // namespace warpseed
