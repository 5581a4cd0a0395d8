// Random sequences and regions for the tests of the writers.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "text/sequence_list.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::test {

inline text::SequenceList sequences_of(const std::string& prefix, const std::vector<std::uint64_t>& lengths) {
  text::SequenceList list;
  list.files = {prefix + ".fa"};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    list.sequences.push_back({prefix + std::string(i % 5, '_') + std::to_string(i), lengths[i], 0});
  }
  return list;
}

/// Regions at random positions; lengths from 1 to the maximum possible.
inline std::vector<CommonRegion> random_regions(std::size_t count, const text::SequenceList& targets,
                                                const text::SequenceList& queries, std::mt19937_64& rng) {
  std::vector<CommonRegion> regions(count);
  for (CommonRegion& region : regions) {
    region.target = static_cast<std::uint32_t>(rng() % targets.sequences.size());
    region.query = static_cast<std::uint32_t>(rng() % queries.sequences.size());
    const std::uint64_t target_length = targets.sequences[region.target].length;
    const std::uint64_t query_length = queries.sequences[region.query].length;
    region.length = 1 + rng() % std::min({target_length, query_length, std::uint64_t{1} << rng() % 40});
    region.target_begin = rng() % (target_length - region.length + 1);
    region.query_begin = rng() % (query_length - region.length + 1);
    region.reverse = rng() % 2 == 0;
  }
  return regions;
}

}  // namespace warpseed::test
