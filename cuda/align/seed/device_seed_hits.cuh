// The seed hits of a batch of reads, on a device.
#pragma once

#include <cstdint>

#include "align/chain/chain_core.hpp"
#include "align/pipeline/alignment_device_data.cuh"
#include "align/seed/seed_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

constexpr std::uint32_t longest_device_read = (1U << 15) - 1;  // the maximum that a packed hit can hold

/// A seed and its sort key: the search, then the begin, then the length, the longest first.
struct FoundSeed {
  Seed seed;
  std::uint64_t key = 0;
};

/// The seeds of a batch in the order of their keys; owns nothing.
struct SeedsInOrder {
  const FoundSeed* found = nullptr;
  View<std::uint32_t> order;       // [seeds] indices into `found`
  View<std::uint64_t> hit_begins;  // [seeds + 1] where the hits of each begin
  unsigned search_shift = 0;       // a key's bits below the number of its search

  __device__ const FoundSeed& operator[](std::uint64_t i) const { return found[order[i]]; }
  __device__ std::uint64_t search_of(const FoundSeed& seed) const { return seed.key >> search_shift; }
};

/// Hits [first_hit, first_hit + count) of the batch: those of consecutive searches from first_search on.
struct HitRange {
  View<std::uint64_t> begins;  // [searches + 1] where the hits of each search begin
  std::uint64_t first_search = 0, first_hit = 0, count = 0;
  bool narrow = true;  // positions have 32 bits
};

/// Returns the hits, sorted by search and then by comes_before(). At most 2^31 - 1 hits.
///
/// Memory: 25 bytes per hit in addition to the hits themselves.
Buffer<SeedHit> hits_in_order(const AlignmentDeviceData& index, const SeedRules& rules, const SeedsInOrder& seeds,
                              const HitRange& range, const Stream& stream);

}  // namespace warpseed::align::cuda
