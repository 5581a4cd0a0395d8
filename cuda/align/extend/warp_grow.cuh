// grow_chain() for the chains of one read, by all lanes of a warp.
//
// Whether a hit needs extension depends on the alignments before it, and reads in repeats have hundreds of both. So 32
// hits are checked at the same time, one per lane, and only hits that no earlier alignment explains are processed in
// order.
#pragma once

#include <cstdint>

#include "align/extend/extend_hit_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// The hits of a read's chains in processing order, and the chain of each.
struct HitList {
  std::uint32_t *hits, *chains;
  std::uint32_t count;
};

/// Lists the hits of all chains, one lane per chain. chain(c): the c-th. hit_room, chain_room: room for all hits.
template <class ChainAt>
__device__ HitList list_hits_by_warp(std::uint32_t chain_count, ChainAt chain, const SeedHit* hits,
                                     std::uint32_t* hit_room, std::uint32_t* chain_room) {
  HitList list = {hit_room, chain_room, 0};
  for (std::uint32_t first = 0; first < chain_count; first += warp_threads) {
    const std::uint32_t c = first + lane_id();
    std::uint32_t count = 0;
    if (c < chain_count) {
      for (std::uint32_t h = chain(c).first; h != no_hit; h = hits[h].next) ++count;
    }
    std::uint32_t end = list.count + count;
    for (unsigned step = 1; step < warp_threads; step *= 2) {
      const std::uint32_t lower = __shfl_up_sync(all_lanes, end - list.count, step);
      if (lane_id() >= step) end += lower;
    }
    const std::uint32_t begin = end - count;
    if (count > 0) hits_by_length(chain(c), hits, hit_room + begin);
    for (std::uint32_t i = begin; i < end; ++i) chain_room[i] = c;
    list.count = __shfl_sync(all_lanes, end, warp_threads - 1);
  }
  __syncwarp();
  return list;
}

/// True if an alignment in `grown` makes the extension of this lane's hit `mine` unnecessary.
template <class UngappedScore>
__device__ bool is_known_in_lane(const GrownAlignments& grown, const SeedHit* hits, const SeedHit& mine, bool open,
                                 std::int32_t band, UngappedScore ungapped_score) {
  bool known = !open;
  for (std::uint32_t first = 0; first < grown.count && !__all_sync(all_lanes, known); first += warp_threads) {
    const std::uint32_t a = first + lane_id();
    GenomePos begin = 0, end = 0;
    if (a < grown.count) begin = grown.alignments[a].genome_begin, end = grown.alignments[a].genome_end;
    const std::uint32_t span = __reduce_max_sync(all_lanes, static_cast<std::uint32_t>(end - begin));
    unsigned asked =
        lanes_before(static_cast<std::uint32_t>(begin), span, static_cast<std::uint32_t>(mine.genome_begin)) &
        first_lane_mask(min(grown.count - first, warp_threads));
    while (!known && asked != 0) {
      const std::uint32_t other = first + pop_lowest_lane(asked);
      known = is_known(grown.alignments[other], hits[grown.origins[other]], mine, band, ungapped_score);
    }
  }
  return known;
}

/// Builds the alignments of the listed hits; the same in all lanes. ungapped_scores: of each hit, see UngappedScore of
/// is_known(). extended(t, h, c, longest, found): sets `found` in all lanes to the extension of hits[h], which is the
/// t-th in the list, of chain c, and the longest of it or not; returns whether to add it. coming(c): called in one lane
/// when the longest hit of chain c may be needed soon.
template <class Extended, class Coming>
__device__ void grow_by_warp(const HitList& list, const SeedHit* hits, const std::int32_t* ungapped_scores,
                             std::int32_t band, GrownAlignments& grown, Extended extended, Coming coming) {
  for (std::uint32_t first = 0; first < list.count; first += warp_threads) {
    const std::uint32_t t = first + lane_id();
    const bool listed = t < list.count;
    const std::uint32_t h = list.hits[listed ? t : first], c = list.chains[listed ? t : first];
    const bool longest = t == 0 || (listed && list.chains[t - 1] != c);
    if (listed && longest) coming(c);
    const SeedHit mine = hits[h];
    const auto ungapped_score = [&] { return ungapped_scores[h]; };
    bool known = is_known_in_lane(grown, hits, mine, listed, band, ungapped_score);
    for (unsigned rest = __ballot_sync(all_lanes, !known); rest != 0;) {
      const int lane = __ffs(static_cast<int>(rest)) - 1;
      const std::uint32_t next = __shfl_sync(all_lanes, h, lane);
      Alignment found;
      if (extended(first + static_cast<std::uint32_t>(lane), next, __shfl_sync(all_lanes, c, lane),
                   __shfl_sync(all_lanes, longest ? 1 : 0, lane) != 0, found)) {
        if (lane_id() == 0) grown.alignments[grown.count] = found, grown.origins[grown.count] = next;
        ++grown.count;
        known = known || is_known(found, hits[next], mine, band, ungapped_score);
      }
      rest = __ballot_sync(all_lanes, !known) & ~((2U << lane) - 1U);  // the lanes after it
    }
    __syncwarp();
  }
}

}  // namespace warpseed::align::cuda
