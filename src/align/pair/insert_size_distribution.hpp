// Insert size distributions: learnt from uniquely aligned pairs, or given.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/pair/insert_size_core.hpp"
#include "align/pipeline/read_alignments.hpp"

namespace warpseed::align {

/// Distances of mates in one orientation.
struct InsertSizeDistribution {
  bool known = false;
  double mean = 0, deviation = 0;
  std::int64_t low = 0, high = 0;    // proper pairs: [low, high]
  std::vector<std::int32_t> scores;  // [high - low + 1]: a pair's score for each distance, in fractions of a point
};

constexpr std::int64_t max_insert_size = 1000000;  // the maximum that can be given

/// One distribution per orientation of the second mate seen from the first.
class InsertSizeDistributions {
 public:
  bool known() const;
  InsertSizeDistribution& operator[](Orientation seen) { return distributions_[static_cast<unsigned>(seen)]; }
  const InsertSizeDistribution& operator[](Orientation seen) const {
    return distributions_[static_cast<unsigned>(seen)];
  }

  /// For the *_core functions; the distributions must outlive it unchanged.
  InsertSizeView view() const;

 private:
  std::array<InsertSizeDistribution, orientation_count> distributions_;
};

/// Distances of uniquely aligned pairs, by orientation.
class InsertSizeSample {
 public:
  /// Adds the pair if both mates are aligned uniquely, at a plausible distance.
  void add(const ReadAlignments& first, const ReadAlignments& second);
  void add(const MateDistance& distance) { distances_[static_cast<unsigned>(distance.seen)].push_back(distance.bases); }

  /// Mean, deviation and bounds without outliers, which percentiles determine as in bwa mem. Unknown for orientations
  /// with fewer than 25 distances, or fewer than a twentieth of the commonest one's.
  InsertSizeDistributions learn(const Scoring& scoring) const;

 private:
  std::array<std::vector<std::int64_t>, orientation_count> distances_;
};

/// A distribution that was learnt, from its numbers.
InsertSizeDistribution learnt_insert_sizes(double mean, double deviation, std::int64_t low, std::int64_t high,
                                           const Scoring& scoring);

/// Insert sizes of FR pairs from option -I. deviation 0: a tenth of the mean; high, low 0: four deviations.
/// Precondition: 0 < mean, high <= max_insert_size. Where low > high no distance is proper.
InsertSizeDistributions given_insert_sizes(double mean, double deviation, std::int64_t high, std::int64_t low,
                                           const Scoring& scoring);

}  // namespace warpseed::align
