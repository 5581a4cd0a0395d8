// filter_chains() by a warp: chains that the best chain dominates are dropped before the rest is sorted.
#pragma once

#include "align/chain/warp_chains.cuh"

namespace warpseed::align::cuda {

/// A rank, and the number of chains with a higher one.
struct RankCut {
  std::uint32_t least, above;
};

/// From counts per bin: the bin with the `wanted`-th largest rank, and the number of ranks in higher bins.
__device__ inline RankCut bin_of(const std::uint32_t* bins, std::uint32_t wanted) {
  constexpr std::uint32_t mine = (1U << rank_bits) / warp_threads;
  const std::uint32_t end = (1U << rank_bits) - mine * lane_id();  // the first lane has the highest bins
  std::uint32_t sum = 0;
  for (std::uint32_t i = 1; i <= mine; ++i) sum += bins[end - i];
  std::uint32_t before = sum;
  for (unsigned step = 1; step < warp_threads; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(all_lanes, before, step);
    if (lane_id() >= step) before += other;
  }
  const unsigned reached = __ballot_sync(all_lanes, before >= wanted);
  before -= sum;
  std::uint32_t bin = end - 1;
  while (before + bins[bin] < wanted && bin + mine > end) before += bins[bin--];
  const int lane = __ffs(static_cast<int>(reached)) - 1;
  return {__shfl_sync(all_lanes, bin, lane), __shfl_sync(all_lanes, before, lane)};
}

/// ChainRank::of_last(), and the number of chains with a higher rank: a radix select, rank_bits per pass.
__device__ inline RankCut last_rank(const ChainedRead& read, std::uint32_t wanted) {
  const unsigned bits = 65 - leading_zeros(ChainRank(read.length).rare) - 1;
  RankCut cut = {0, 0};
  for (unsigned shift = (bits + rank_bits - 1) / rank_bits * rank_bits; shift > 0;) {
    shift -= rank_bits;
    for_lanes(1U << rank_bits, [&](std::uint32_t i) { read.bins[i] = 0; });
    for_lanes(read.count, [&](std::uint32_t i) {
      const std::uint32_t rank = read.marks[i] & ~written;
      if (rank != 0 && rank >> shift >> rank_bits == cut.least)
        atomicAdd(&read.bins[rank >> shift & ((1U << rank_bits) - 1)], 1U);
    });
    const RankCut next = bin_of(read.bins, wanted - cut.above);
    cut = {cut.least << rank_bits | next.least, cut.above + next.above};
    __syncwarp();
  }
  return cut;
}

/// keep_heaviest_chains() by all lanes: drops all others.
__device__ inline void keep_heaviest(const AlignOptions& options, const ChainedRead& read, ChainsSeen& seen) {
  const std::uint32_t wanted = options.max_diagonals;
  if (__reduce_add_sync(all_lanes, seen.count) <= wanted) return;
  const RankCut cut = last_rank(read, wanted);
  std::uint32_t equals = wanted - cut.above;
  seen = {};
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const std::uint32_t mine = i < read.count ? read.marks[i] & ~written : 0;
    const unsigned equal = __ballot_sync(all_lanes, mine == cut.least);
    const bool kept =
        mine > cut.least || (mine == cut.least && static_cast<unsigned>(__popc(equal & lower_lane_mask())) < equals);
    if (kept) seen.add(ChainSketch(read.keys[i]).score(), i);
    if (mine != 0 && !kept) read.marks[i] = 0;
    const auto met = static_cast<std::uint32_t>(__popc(equal));
    equals -= met < equals ? met : equals;
  }
  __syncwarp();
}

/// drop_dominated() by all lanes: lists in read.keys, and stores, the best chain and all that it does not dominate.
__device__ inline std::uint32_t list_candidates(const AlignOptions& options, const ChainedRead& read,
                                                const ChainsSeen& seen) {
  const std::uint64_t best = warp_max(seen.best);
  if (best == 0) return 0;
  const auto at = ~static_cast<std::uint32_t>(best);
  const Chain leader = chain_at(options, read, at);
  const std::uint32_t weights = ChainRank(read.length).rare - 1;
  std::uint32_t listed = 0;
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id(), mark = i < read.count ? read.marks[i] : 0;
    const ChainSketch sketch(mark != 0 ? read.keys[i] : 0);
    const bool hopeful =
        mark != 0 && (i == at || !filtered_by(sketch.chain(mark & weights), leader, read.length, options));
    const unsigned all = __ballot_sync(all_lanes, hopeful);  // all keys are read before any is overwritten
    if (hopeful) {
      read.keys[listed + static_cast<std::uint32_t>(__popc(all & lower_lane_mask()))] = key_of(sketch.score(), i);
      if ((mark & written) == 0) store_chain(options, read, i);
    }
    listed += static_cast<std::uint32_t>(__popc(all));
  }
  __syncwarp();
  return listed;
}

/// Sorts keys in place. All comparisons of this bitonic network put the smaller key first. So keys past the end, which
/// would be the largest, need not exist.
__device__ inline void sort_by_warp(std::uint64_t* keys, std::uint32_t count) {
  const auto compare =
      [&](std::uint32_t half,
          std::uint32_t flip) {  // compares indices that differ in bit `half` and the other bits of `flip`
        const std::uint32_t pairs = (count + 2 * half - 1) / (2 * half) * half;
        for_lanes(pairs, [&](std::uint32_t pair) {
          const std::uint32_t low = 2 * pair - pair % half, high = low ^ flip;
          if (high >= count || keys[low] < keys[high]) return;
          const std::uint64_t larger = keys[low];
          keys[low] = keys[high], keys[high] = larger;
        });
      };
  for (std::uint32_t half = 1; half < count; half *= 2) {
    compare(half, 2 * half - 1);
    for (std::uint32_t step = half / 2; step > 0; step /= 2) compare(step, step);
  }
}

/// The listed keys in order. A few are ranked by counting, which takes one pass.
__device__ inline const std::uint64_t* sorted_keys(const ChainedRead& read, std::uint32_t listed) {
  constexpr std::uint32_t few = 2 * warp_threads;
  if (listed > few) {
    sort_by_warp(read.keys, listed);
    return read.keys;
  }
  for_lanes(listed, [&](std::uint32_t i) {
    const std::uint64_t mine = read.keys[i];
    std::uint32_t rank = 0;
    for (std::uint32_t j = 0; j < listed; ++j) rank += read.keys[j] < mine ? 1 : 0;
    read.sorted[rank] = mine;
  });
  return read.sorted;
}

/// The rest of filter_chains(): lists in read.kept the chains to extend, the best one first.
__device__ inline std::uint32_t keep_best(const AlignOptions& options, const ChainedRead& read, std::uint32_t listed) {
  const std::uint64_t* const sorted = sorted_keys(read, listed);
  const bool any_alt = options.alt_contigs.size > 0;
  std::uint32_t kept = 0, kept_alt = 0;
  for (std::uint32_t i = 0; i < listed; ++i) {
    if (!any_alt && kept >= options.max_chains) break;
    const auto at = static_cast<std::uint32_t>(sorted[i]);
    const Chain& chain = read.chains[at];
    const bool alt = any_alt && chain.alt;
    if ((alt ? kept_alt : kept - kept_alt) >= options.max_chains) continue;
    const auto below = static_cast<std::int32_t>(sorted[i] >> 32) - static_cast<std::int32_t>(sorted[0] >> 32);
    bool gives = false;
    for (std::uint32_t first = 0; first < kept && !gives && below > close_scores(options.scoring);
         first += warp_threads) {
      const std::uint32_t j = first + lane_id();
      gives = __any_sync(all_lanes, j < kept && filtered_by(chain, read.chains[read.kept[j]], read.length, options));
    }
    if (gives) continue;
    if (lane_id() == 0) read.kept[kept] = at;
    if (alt) ++kept_alt;
    ++kept;
    __syncwarp();
  }
  return kept;
}

/// The number of hits of the kept chains.
__device__ inline std::uint32_t count_hits(const ChainedRead& read, std::uint32_t kept) {
  std::uint32_t hits = 0;
  for (std::uint32_t i = lane_id(); i < kept; i += warp_threads) {
    for (std::uint32_t h = read.chains[read.kept[i]].first; h != no_hit; h = read.hits[h].next) ++hits;
  }
  return __reduce_add_sync(all_lanes, hits);
}

/// Lists in read.kept the chains to extend. Returns their number.
__device__ inline std::uint32_t filter_chains_by_warp(const AlignOptions& options, const ChainedRead& read,
                                                      ChainsSeen& seen) {
  keep_heaviest(options, read, seen);
  return keep_best(options, read, list_candidates(options, read, seen));
}

}  // namespace warpseed::align::cuda
