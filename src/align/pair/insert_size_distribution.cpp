#include "align/pair/insert_size_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace warpseed::align {

namespace {

constexpr std::int64_t max_learned_distance = 10000;  // mates further apart are not used
constexpr std::size_t min_distances = 25;
constexpr std::size_t min_pairs_divisor = 20;  // minimum pairs of an orientation: 1 / this of the commonest one's

bool is_uniquely_aligned(const ReadAlignments& aligned) {
  if (aligned.alignments.empty()) return false;
  const Alignment& best = aligned.alignments.front();
  return static_cast<double>(best.second_score) <= 0.8 * static_cast<double>(best.score);
}

/// For each distance from low to high: the natural logarithm of the normal distribution's two-sided tail, in fractions
/// of a point: 0.721 = 1 / ln(4), as one base distinguishes four possibilities.
std::vector<std::int32_t> scores_of(const InsertSizeDistribution& model, const Scoring& scoring) {
  std::vector<std::int32_t> scores;
  for (std::int64_t bases = model.low; bases <= model.high; ++bases) {
    const double z = std::fabs(static_cast<double>(bases) - model.mean) / model.deviation;
    const double tail = std::max(2.0 * std::erfc(z * 0.70710678118654752), 1e-300);
    scores.push_back(static_cast<std::int32_t>(std::lround(0.721 * std::log(tail) * scoring.match * units_per_point)));
  }
  return scores;
}

InsertSizeDistribution distribution_of(std::vector<std::int64_t> distances, const Scoring& scoring) {
  std::sort(distances.begin(), distances.end());
  const auto percentile = [&](double share) {
    return distances[static_cast<std::size_t>(share * static_cast<double>(distances.size()) + 0.499)];
  };
  const std::int64_t lower = percentile(0.25), upper = percentile(0.75), spread = upper - lower;
  const std::int64_t trusted_low = std::max<std::int64_t>(lower - 2 * spread, 1);
  const std::int64_t trusted_high = upper + 2 * spread;
  double sum = 0, squares = 0, count = 0;
  for (const std::int64_t distance : distances) {
    if (distance < trusted_low || distance > trusted_high) continue;
    const auto value = static_cast<double>(distance);
    sum += value, squares += value * value, ++count;
  }
  InsertSizeDistribution model;
  model.known = true;
  model.mean = sum / count;
  model.deviation = std::max(std::sqrt(std::max(squares / count - model.mean * model.mean, 0.0)), 1.0);
  const auto at = [&](double deviations) {
    return static_cast<std::int64_t>(model.mean + deviations * model.deviation + 0.499);
  };
  model.low = std::max<std::int64_t>(std::min(lower - 3 * spread, at(-4)), 1);
  model.high = std::max(upper + 3 * spread, at(4));
  model.scores = scores_of(model, scoring);
  return model;
}

}  // namespace

bool InsertSizeDistributions::known() const {
  return std::any_of(distributions_.begin(), distributions_.end(),
                     [](const InsertSizeDistribution& model) { return model.known; });
}

InsertSizeView InsertSizeDistributions::view() const {
  InsertSizeView view;
  for (unsigned i = 0; i < orientation_count; ++i) {
    if (distributions_[i].known)
      view.ranges[i] = {distributions_[i].low, distributions_[i].high, distributions_[i].scores.data()};
  }
  return view;
}

void InsertSizeSample::add(const ReadAlignments& first, const ReadAlignments& second) {
  if (!is_uniquely_aligned(first) || !is_uniquely_aligned(second)) return;
  const MateDistance distance =
      mate_distance(first.alignments.front(), first.read.length(), second.alignments.front(), second.read.length());
  if (distance.bases > 0 && distance.bases <= max_learned_distance) add(distance);
}

InsertSizeDistributions InsertSizeSample::learn(const Scoring& scoring) const {
  std::size_t most = 0;
  for (const auto& distances : distances_) most = std::max(most, distances.size());
  InsertSizeDistributions distributions;
  for (unsigned i = 0; i < orientation_count; ++i) {
    const std::size_t count = distances_[i].size();
    if (count < min_distances || count * min_pairs_divisor < most) continue;
    distributions[static_cast<Orientation>(i)] = distribution_of(distances_[i], scoring);
  }
  return distributions;
}

InsertSizeDistribution learnt_insert_sizes(double mean, double deviation, std::int64_t low, std::int64_t high,
                                           const Scoring& scoring) {
  InsertSizeDistribution model = {true, mean, deviation, low, high, {}};
  model.scores = scores_of(model, scoring);
  return model;
}

InsertSizeDistributions given_insert_sizes(double mean, double deviation, std::int64_t high, std::int64_t low,
                                           const Scoring& scoring) {
  InsertSizeDistribution model;
  model.known = true;
  model.mean = mean;
  model.deviation = deviation > 0 ? deviation : std::max(0.1 * mean, 1.0);
  model.high = high > 0 ? high : static_cast<std::int64_t>(mean + 4 * model.deviation + 0.499);
  model.low = low > 0 ? low : std::max<std::int64_t>(static_cast<std::int64_t>(mean - 4 * model.deviation + 0.499), 1);
  model.scores = scores_of(model, scoring);
  InsertSizeDistributions distributions;
  distributions[Orientation::fr] = std::move(model);
  return distributions;
}

}  // namespace warpseed::align
