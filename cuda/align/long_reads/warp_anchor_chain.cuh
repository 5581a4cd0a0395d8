// The best predecessors of a strand's anchors, found by a warp: the results of AnchorChainer::fill().
#pragma once

#include <cstdint>

#include "align/long_reads/anchor_chain_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// One value an anchor.
struct ChainArrays {
  std::int32_t* scores;     // of the best chain that ends there
  std::int32_t* highest;    // the highest of these so far, on this strand
  std::uint32_t* previous;  // in that chain
  std::uint32_t* seen;      // 0 at first; one more than the last anchor that saw this one in the chain of another
};

/// Tries predecessors of one anchor, 32 at a time, the last one first. What the CPU's loop has decided before it comes
/// to a predecessor is the maximum over the lanes before.
class PredecessorSearch {
 public:
  __device__ PredecessorSearch(const Anchor* anchors, const ChainArrays& chains, std::uint32_t at)
      : anchors_(anchors),
        chains_(chains),
        anchor_(anchors[at]),
        mark_(at + 1),
        best_(static_cast<std::int32_t>(anchor_.length)) {}

  /// Tries anchors [first, past), the last 32 of these. Returns whether those before may be better.
  __device__ bool try_last(std::uint32_t first, std::uint32_t past) {
    const std::uint32_t j = past - 1 - lane_id();
    const bool there = lane_id() < past - first;
    std::int32_t candidate = impossible_gain;
    bool stops = !there;
    if (there) {
      const Anchor last = anchors_[j];
      stops = is_too_far(last, anchor_);
      const std::int32_t gain = chain_gain(last, anchor_);
      if (gain != impossible_gain) candidate = chains_.scores[j] + gain;
    }
    const std::int32_t before = best_before(candidate);
    if (there && chains_.highest[j] + static_cast<std::int32_t>(anchor_.length) <= before) stops = true;
    const unsigned stopping = __ballot_sync(all_lanes, stops);
    const unsigned tried = stopping == 0 ? all_lanes : (stopping & (0U - stopping)) - 1;
    const bool possible = (tried >> lane_id() & 1) != 0 && candidate != impossible_gain;
    const bool goes_on = take(j, candidate, possible && candidate > before, possible);
    return goes_on && stopping == 0;
  }

  __device__ std::int32_t best() const { return best_; }
  __device__ std::uint32_t from() const { return from_; }

 private:
  /// The best score before this lane's.
  __device__ std::int32_t best_before(std::int32_t candidate) const {
    std::int32_t highest = candidate;
#pragma unroll
    for (unsigned step = 1; step < warp_threads; step *= 2) {
      const std::int32_t other = __shfl_up_sync(all_lanes, highest, step);
      if (lane_id() >= step && other > highest) highest = other;
    }
    const std::int32_t before = __shfl_up_sync(all_lanes, highest, 1);
    return lane_id() == 0 || before < best_ ? best_ : before;
  }

  /// Takes the last lane that improves, if not too many before have been skipped. Returns whether the search goes on.
  __device__ bool take(std::uint32_t j, std::int32_t candidate, bool improves, bool possible) {
    const std::uint32_t previous = possible ? chains_.previous[j] : no_anchor;
    if (previous != no_anchor) chains_.seen[previous] = mark_;
    __syncwarp();
    const unsigned better = __ballot_sync(all_lanes, improves);
    const unsigned worse = __ballot_sync(all_lanes, possible && !improves && chains_.seen[j] == mark_);
    unsigned taken = better;
    bool goes_on = true;
    for (unsigned events = better | worse; events != 0 && goes_on;) {
      const unsigned lane = pop_lowest_lane(events);
      if ((better >> lane & 1) != 0) {
        if (skipped_ > 0) --skipped_;
      } else if (++skipped_ > max_skipped) {
        taken &= (1U << lane) - 1;
        goes_on = false;
      }
    }
    if (taken != 0) {
      const int last = 31 - __clz(static_cast<int>(taken));
      best_ = __shfl_sync(all_lanes, candidate, last);
      from_ = __shfl_sync(all_lanes, j, last);
    }
    return goes_on;
  }

  const Anchor* anchors_;
  const ChainArrays& chains_;
  const Anchor anchor_;
  const std::uint32_t mark_;
  std::int32_t best_;
  std::uint32_t from_ = no_anchor, skipped_ = 0;
};

/// Fills the arrays for anchors [begin, end), those of a strand. All lanes call it.
__device__ inline void fill_chains_by_warp(const Anchor* anchors, std::uint32_t begin, std::uint32_t end,
                                           const ChainArrays& chains) {
  std::int32_t highest = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t first = i - begin > max_lookback ? i - max_lookback : begin;
    PredecessorSearch search(anchors, chains, i);
    for (std::uint32_t past = i; past > first && search.try_last(first, past);) {
      past -= past - first < warp_threads ? past - first : warp_threads;
    }
    if (search.best() > highest) highest = search.best();
    if (lane_id() == 0) {
      chains.scores[i] = search.best(), chains.highest[i] = highest, chains.previous[i] = search.from();
    }
    __syncwarp();
  }
}

}  // namespace warpseed::align::cuda
