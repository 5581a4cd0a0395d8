// The ranking of one read's alignments by all lanes of a warp.
#pragma once

#include <cstdint>

#include "align/rank_core.hpp"
#include "align/warp.cuh"

namespace warpseed::cuda {

/// As mark_competitors(): the lanes ask better alignments side by side. With ALT contigs one lane does it.
__device__ inline void mark_competitors_by_warp(Alignment* alignments, std::uint32_t count, std::uint32_t read_length,
                                                const Scoring& scoring) {
  bool alt = false;
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) {
    Alignment& mine = alignments[i];
    mine.second_score = 0, mine.second_count = 0, mine.alt_score = 0;
    mine.competes_with = mine.listed_with = nobody;
    alt = alt || mine.alt;
  }
  __syncwarp();
  if (__any_sync(all_lanes, alt)) {
    if (lane_id() == 0) mark_competitors(alignments, count, read_length, scoring);
    __syncwarp();
    return;
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    const Alignment mine = alignments[i];
    unsigned rivals = 0;
    std::uint32_t first = 0;
    for (; first < i && rivals == 0; first += warp_threads) {
      const std::uint32_t j = first + lane_id();
      const bool rival = j < i && alignments[j].competes_with == nobody && compete(mine, alignments[j], read_length);
      rivals = __ballot_sync(all_lanes, rival);
    }
    if (rivals != 0 && lane_id() == 0) {
      const std::int32_t rival = static_cast<std::int32_t>(first - warp_threads) + __ffs(static_cast<int>(rivals)) - 1;
      alignments[i].competes_with = alignments[i].listed_with = rival;
      count_competitor(alignments[rival], mine.score, near_score(scoring));
    }
    __syncwarp();
  }
}

/// As rank_alignments() and mark_competitors(), into `ranked`: each lane counts for some alignments how many come before.
/// Returns how many stay.
__device__ inline std::uint32_t rank_by_warp(const Alignment* alignments, std::uint32_t count,
                                             std::uint32_t read_length, const Scoring& scoring, Alignment* ranked) {
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) {
    const Alignment mine = alignments[i];
    std::uint32_t rank = 0;
    for (std::uint32_t j = 0; j < count; ++j) {
      const bool before = ranks_before(alignments[j], mine);
      rank += before || (j < i && !ranks_before(mine, alignments[j])) ? 1 : 0;
    }
    ranked[rank] = mine;
  }
  __syncwarp();
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bool fresh = true;
    for (std::uint32_t first = 0; first < kept && fresh; first += warp_threads) {
      const std::uint32_t j = first + lane_id();
      fresh = !__any_sync(all_lanes, j < kept && same_place(ranked[i], ranked[j]));
    }
    if (!fresh) continue;
    if (kept != i && lane_id() == 0) ranked[kept] = ranked[i];
    ++kept;
    __syncwarp();
  }
  mark_competitors_by_warp(ranked, kept, read_length, scoring);
  return kept;
}

}  // namespace warpseed::cuda
