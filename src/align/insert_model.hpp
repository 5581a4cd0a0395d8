// Learns the insert size from pairs that are placed beyond doubt.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/read_placer.hpp"

namespace warpseed {

/// The insert size of a pair if both mates are placed uniquely and face each other within `reach`; -1 otherwise.
std::int64_t certain_insert(const PlacedRead& first, const PlacedRead& second);

/// Mean, deviation and bounds of insert sizes, outliers left out: percentiles decide what an outlier is, as in
/// bwa mem. Unknown from fewer than 25 sizes. `sizes` is reordered.
InsertModel learn_inserts(std::vector<std::int64_t>& sizes);

/// A model given by hand (-I). deviation 0: a tenth of the mean; high, low 0: four deviations.
InsertModel given_inserts(double mean, double deviation, std::int64_t high, std::int64_t low);

}  // namespace warpseed
