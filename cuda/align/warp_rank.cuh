// The ranking of one read's alignments by all lanes of a warp.
#pragma once

#include <cstdint>

#include "align/rank_core.hpp"
#include "align/warp.cuh"

namespace warpseed::cuda {

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
  if (lane_id() == 0) mark_competitors(ranked, kept, read_length, scoring);
  __syncwarp();
  return kept;
}

}  // namespace warpseed::cuda
