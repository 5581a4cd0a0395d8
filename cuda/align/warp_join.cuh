// build_chains(), in a warp. Clusters are listed by what they need, so that the lanes do the same: those of one hit, those
// whose hits make one chain, the others. Of these a lane joins the hits of one; where it is large, the lanes ask its open
// chains side by side.
#pragma once

#include "align/warp_chains.cuh"

namespace warpseed::cuda {

constexpr std::uint32_t large_cluster = 48;  // hits; joined by all lanes
constexpr std::uint32_t remade_hits = 4;     // at most; of more a chain is written down at once

/// nearest_chain(), in all lanes.
__device__ inline std::uint32_t nearest_chain_by_warp(const ChainedRead& read, const Chain* chains, std::uint32_t open,
                                                      std::uint32_t count, const Hit& hit, std::int32_t band) {
  const std::uint32_t oldest = count > open + look_back ? count - look_back : open;
  std::uint64_t nearest = ~std::uint64_t{0};  // the distance, then how many chains were opened later
  for (std::uint32_t later = lane_id(); later - lane_id() + oldest < count; later += warp_threads) {
    const bool asked = later + oldest < count;
    const std::uint32_t c = count - 1 - later;
    const unsigned inside = __ballot_sync(all_lanes, asked && contains(chains[c], hit));
    if (inside != 0) return count - 1 - (later - lane_id() + static_cast<std::uint32_t>(__ffs(inside)) - 1);
    const std::int64_t distance =
        asked ? chain_distance(read.hits[chains[c].last], hit, read.length, band) : std::int64_t{-1};
    const std::uint64_t mine = distance < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(distance) << 32 | later;
    if (mine < nearest) nearest = mine;
  }
  nearest = ~largest_of_warp(~nearest);
  return nearest == ~std::uint64_t{0} ? no_hit : count - 1 - static_cast<std::uint32_t>(nearest);
}

/// build_chains() of one cluster, hits [begin, end), in all lanes.
__device__ inline std::uint32_t build_chains_by_warp(const ChainedRead& read, std::uint32_t begin, std::uint32_t end,
                                                     std::int32_t band) {
  Chain* chains = read.chains + begin;
  std::uint32_t count = 0, open = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Hit hit = read.hits[i];
    while (open < count && closed(chains[open], hit, read.length, band)) ++open;
    const std::uint32_t nearest = nearest_chain_by_warp(read, chains, open, count, hit, band);
    if (lane_id() == 0) {
      if (nearest == no_hit) {
        chains[count] = chain_of(hit, i);
      } else if (!contains(chains[nearest], hit)) {
        append(chains[nearest], read.hits, i);
      } else {
        chains[nearest].rare = chains[nearest].rare || hit.rare;
      }
    }
    if (nearest == no_hit) ++count;
    __syncwarp();
  }
  return count;
}

/// The chain of a cluster, if it makes only one.
__device__ inline bool join_lone_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t begin,
                                       ChainsSeen& seen) {
  Chain chain;
  std::uint32_t end = begin + 1;
  if (!make_lone_chain(options, read, begin, chain,
                       [&](std::uint32_t i, const Chain&) { read.marks[i] = 0, end = i + 1; }))
    return false;
  const bool many = end - begin > remade_hits;
  if (many) write_down(options, read, begin);
  read.marks[begin] = ChainRank(read.length).of(chain) | (many ? written : 0);
  seen.add(chain, begin);
  return true;
}

/// Marks where the chains of a cluster are, and scores them.
__device__ inline void finish_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t at, bool exists,
                                    ChainsSeen& seen) {
  read.marks[at] = 0;
  if (!exists) return;
  Chain& chain = read.chains[at];
  chain.alt = options.is_alt(chain.contig);
  chain.score = expected_score(chain, read.hits, options.scoring,
                               [&](const Hit& hit) { return read.promises[&hit - read.hits]; });
  read.marks[at] = ChainRank(read.length).of(chain) | written;
  seen.add(chain, at);
}

/// The chains of clusters of one hit; lists in read.kept where the others begin. Returns how many.
__device__ inline std::uint32_t join_single_hits(const AlignOptions& options, const ChainedRead& read,
                                                 ChainsSeen& seen) {
  const ChainRank rank(read.length);
  std::uint32_t listed = 0;
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const bool begins = begins_cluster(read, i, options.band);  // also where there is no hit any more
    const unsigned all = __ballot_sync(all_lanes, begins);
    const bool ends =
        lane_id() + 1 < warp_threads ? (all >> (lane_id() + 1) & 1) != 0 : begins_cluster(read, i + 1, options.band);
    if (i < read.count && begins && ends) {
      const Chain chain = scored(options, LoneChain(read.hits[i], i, read.promises[i]));
      read.marks[i] = rank.of(chain);
      seen.add(chain, i);
    }
    const bool longer = i < read.count && begins && !ends;
    const unsigned others = __ballot_sync(all_lanes, longer);
    if (longer) read.kept[listed + static_cast<std::uint32_t>(__popc(others & lower_lanes()))] = i;
    listed += static_cast<std::uint32_t>(__popc(others));
  }
  __syncwarp();
  return listed;
}

/// The clusters listed that make one chain; lists the others. Returns how many.
__device__ inline std::uint32_t join_lone_chains(const AlignOptions& options, const ChainedRead& read,
                                                 std::uint32_t listed, ChainsSeen& seen) {
  std::uint32_t left = 0;
  for (std::uint32_t first = 0; first < listed; first += warp_threads) {
    const bool mine = first + lane_id() < listed;
    const std::uint32_t begin = mine ? read.kept[first + lane_id()] : 0;
    const bool several = mine && !join_lone_chain(options, read, begin, seen);
    const unsigned others = __ballot_sync(all_lanes, several);
    if (several) read.kept[left + static_cast<std::uint32_t>(__popc(others & lower_lanes()))] = begin;
    left += static_cast<std::uint32_t>(__popc(others));
  }
  __syncwarp();
  return left;
}

/// The chains of the clusters listed, each lane those of its own.
__device__ inline void join_clusters(const AlignOptions& options, const ChainedRead& read, std::uint32_t listed,
                                     ChainsSeen& seen) {
  for (std::uint32_t first = 0; first < listed; first += warp_threads) {
    const bool mine = first + lane_id() < listed;
    const std::uint32_t begin = mine ? read.kept[first + lane_id()] : 0;
    std::uint32_t end = begin;
    if (mine) {
      do ++end;
      while (!begins_cluster(read, end, options.band));
    }
    const bool large = end - begin > large_cluster;
    if (mine && !large) {
      const std::uint32_t built = build_chains(read.hits, begin, end, read.length, options.band, read.chains + begin);
      for (std::uint32_t i = begin; i < end; ++i) finish_chain(options, read, i, i - begin < built, seen);
    }
    for (unsigned waiting = __ballot_sync(all_lanes, large); waiting != 0; waiting &= waiting - 1) {
      const int lane = __ffs(waiting) - 1;
      const std::uint32_t from = __shfl_sync(all_lanes, begin, lane), to = __shfl_sync(all_lanes, end, lane);
      const std::uint32_t built = build_chains_by_warp(read, from, to, options.band);
      for_lanes(to - from, [&](std::uint32_t i) { finish_chain(options, read, from + i, i < built, seen); });
    }
  }
  __syncwarp();
}

/// The chains of all clusters.
__device__ inline void join_hits(const AlignOptions& options, const ChainedRead& read, ChainsSeen& seen) {
  const std::uint32_t clusters = join_single_hits(options, read, seen);
  join_clusters(options, read, join_lone_chains(options, read, clusters, seen), seen);
}

}  // namespace warpseed::cuda
