// The best predecessors of anchors, found by a warp: the results of AnchorChainer::fill().
#pragma once

#include <cstdint>

#include "align/long_reads/anchor_chain_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// One value an anchor.
struct ChainArrays {
  std::int32_t* scores;     // of the best chain that ends there
  std::int32_t* highest;    // the highest of these so far, in this stretch of anchors
  std::uint32_t* previous;  // in that chain
  std::uint32_t* seen;      // 0 at first; one more than the last anchor that saw this one in the chain of another
};

/// What a lane knows of a predecessor: of 32 neighbours the last one is lane 0's.
struct Predecessor {
  Anchor anchor;
  std::int32_t score = 0, highest = 0;
  std::uint32_t previous = no_anchor;

  /// The predecessor of the lane before, which is one anchor later.
  __device__ Predecessor of_lane_before() const {
    const auto shifted = [](auto value) { return __shfl_up_sync(all_lanes, value, 1); };
    return {{shifted(anchor.genome_begin), shifted(anchor.query_begin), shifted(anchor.length), shifted(anchor.contig),
             anchor.reverse},
            shifted(score),
            shifted(highest),
            shifted(previous)};
  }
};

/// The search for the best predecessor of one anchor. It tries 32 anchors at a time, the last ones first. What the CPU's
/// loop has decided before it comes to a predecessor is the maximum over the lanes before.
class PredecessorSearch {
 public:
  __device__ PredecessorSearch(const Anchor& anchor, std::uint32_t at, std::uint32_t* seen)
      : anchor_(anchor), at_(at), seen_(seen), best_(static_cast<std::int32_t>(anchor.length)) {}

  /// Tries the 32 anchors before `past`, of which the first `count` lanes have one. Returns whether those before may be
  /// better.
  __device__ bool try_predecessors(const Predecessor& last, std::uint32_t past, std::uint32_t count) {
    bool stops = lane_id() >= count;
    std::int32_t candidate = impossible_gain;
    if (!stops) {
      stops = is_too_far(last.anchor, anchor_);
      const std::int32_t gain = chain_gain(last.anchor, anchor_);
      if (gain != impossible_gain) candidate = last.score + gain;
    }
    const std::int32_t before = best_before(candidate);
    if (last.highest + static_cast<std::int32_t>(anchor_.length) <= before) stops = true;
    const unsigned stopping = __ballot_sync(all_lanes, stops);
    const unsigned tried = stopping == 0 ? all_lanes : (stopping & (0U - stopping)) - 1;
    const bool possible = (tried >> lane_id() & 1) != 0 && candidate != impossible_gain;
    const std::uint32_t previous = possible ? last.previous : no_anchor;
    const bool seen = sees(previous, past, possible);
    const bool goes_on = take(past, candidate, __ballot_sync(all_lanes, possible && candidate > before),
                              __ballot_sync(all_lanes, possible && candidate <= before && seen));
    if (stopping != 0 || !goes_on) return false;
    if (previous != no_anchor && past - 1 - previous >= warp_threads) seen_[previous] = at_ + 1;
    __syncwarp();
    return true;
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

  /// Is this lane's anchor in the chain of one that has been tried before?
  __device__ bool sees(std::uint32_t previous, std::uint32_t past, bool possible) const {
    const std::uint32_t lane = past - 1 - previous;  // that has it, if any
    const unsigned here = __reduce_or_sync(all_lanes, previous != no_anchor && lane < warp_threads ? 1U << lane : 0U);
    if ((here >> lane_id() & 1) != 0) return true;
    return possible && past != at_ && seen_[past - 1 - lane_id()] == at_ + 1;
  }

  /// Takes the last of the lanes that improve, unless too many have been skipped before. Returns whether the search goes
  /// on.
  __device__ bool take(std::uint32_t past, std::int32_t candidate, unsigned better, unsigned worse) {
    unsigned taken = 0;
    while (better != 0) {
      const unsigned lane = pop_lowest_lane(better), before = worse & ((1U << lane) - 1);
      skipped_ += static_cast<std::uint32_t>(__popc(before));
      worse &= ~before;
      if (skipped_ > max_skipped) break;
      if (skipped_ > 0) --skipped_;
      taken = lane + 1;
    }
    if (taken > 0) {
      best_ = __shfl_sync(all_lanes, candidate, static_cast<int>(taken - 1));
      from_ = past - taken;
    }
    skipped_ += static_cast<std::uint32_t>(__popc(worse));
    return skipped_ <= max_skipped;
  }

  const Anchor& anchor_;
  const std::uint32_t at_;
  std::uint32_t* const seen_;
  std::int32_t best_;
  std::uint32_t from_ = no_anchor, skipped_ = 0;
};

/// Fills the arrays for anchors [begin, end) of a strand, none of which can follow one before. All lanes call it.
__device__ inline void fill_chains_by_warp(const Anchor* anchors, std::uint32_t begin, std::uint32_t end,
                                           const ChainArrays& chains) {
  Predecessor last;  // of the 32 anchors before the current one
  std::int32_t highest = 0;
  if (begin == end) return;
  Anchor coming = anchors[begin];
  for (std::uint32_t i = begin; i < end; ++i) {
    const Anchor anchor = coming;
    if (i + 1 < end) coming = anchors[i + 1];
    const std::uint32_t first = i - begin > max_lookback ? i - max_lookback : begin;
    PredecessorSearch search(anchor, i, chains.seen);
    bool goes_on = search.try_predecessors(last, i, i - first);
    for (std::uint32_t past = i; goes_on && past - first > warp_threads;) {
      past -= warp_threads;
      const std::uint32_t j = past - 1 - lane_id();
      Predecessor earlier;
      if (lane_id() < past - first) earlier = {anchors[j], chains.scores[j], chains.highest[j], chains.previous[j]};
      goes_on = search.try_predecessors(earlier, past, past - first);
    }
    if (search.best() > highest) highest = search.best();
    last = last.of_lane_before();
    if (lane_id() == 0) {
      last = {anchor, search.best(), highest, search.from()};
      chains.scores[i] = search.best(), chains.highest[i] = highest, chains.previous[i] = search.from();
    }
    __syncwarp();
  }
}

}  // namespace warpseed::align::cuda
