// build_chains() by a warp. Clusters are grouped by the work that they need, so that the lanes do not diverge: clusters
// of one hit, clusters whose hits form one chain, and others. A lane joins the hits of one other cluster. If it is
// large, all lanes check its open chains in parallel.
#pragma once

#include "align/chain/warp_chains.cuh"

namespace warpseed::align::cuda {

constexpr std::uint32_t large_cluster = 32;    // hits; all lanes join larger ones
constexpr std::uint32_t max_rebuilt_hits = 4;  // at most; a chain with more hits is stored at once

/// A chain that further hits may continue, in the registers of a lane.
struct OpenChain {
  std::uint32_t number = no_hit;
  Chain chain;
  SeedHit last;

  /// The distance of a hit: 0 inside the chain, else chain_distance() + 1; `far` if it cannot continue the chain.
  static constexpr std::uint32_t far = ~0U;
  __device__ std::uint32_t away(const SeedHit& hit, std::uint32_t count, std::uint32_t read_length,
                                std::int32_t band) const {
    if (number == no_hit || count - number > max_open_chains) return far;
    if (contains(chain, hit)) return 0;
    const std::int64_t distance = chain_distance(last, hit, read_length, band);
    return distance < 0 ? far : static_cast<std::uint32_t>(distance) + 1;
  }
};

/// The chains of a cluster while they are joined. Each of the latest ones is in a lane. A chain older than
/// max_open_chains, or closed(), is never continued.
class OpenChains {
 public:
  __device__ OpenChains(const ChainedRead& read, std::uint32_t begin, std::int32_t band)
      : read_(read), begin_(begin), band_(band) {}

  /// Adds the next hit, the same in all lanes.
  __device__ void take(const SeedHit& hit, std::uint32_t index) {
    std::uint32_t nearest = OpenChain::far, number = 0;
#pragma unroll
    for (const OpenChain& mine : open_) {
      const std::uint32_t away = mine.away(hit, count_, read_.length, band_);
      if (away < nearest || (away == nearest && mine.number > number)) nearest = away, number = mine.number;
    }
    const std::uint32_t best = __reduce_min_sync(all_lanes, nearest);
    const bool opens = best == OpenChain::far;
    const std::uint32_t taken = opens ? count_ : __reduce_max_sync(all_lanes, nearest == best ? number : 0);
    if (taken % warp_threads == lane_id()) {
#pragma unroll
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (taken / warp_threads % slots == slot) put(open_[slot], hit, index, best);
      }
    }
    if (opens) ++count_;
  }

  /// Stores all chains. Returns their number.
  __device__ std::uint32_t finish() {
#pragma unroll
    for (const OpenChain& mine : open_) write(mine);
    __syncwarp();
    return count_;
  }

 private:
  static constexpr std::uint32_t slots = 2;
  static_assert(max_open_chains <= slots * warp_threads);

  __device__ void put(OpenChain& mine, const SeedHit& hit, std::uint32_t index, std::uint32_t away) {
    if (away == 0) {
      mine.chain.rare = mine.chain.rare || hit.rare;
    } else if (away == OpenChain::far) {
      write(mine);
      mine = {count_, chain_of(hit, index), hit};
    } else {
      read_.hits[mine.chain.last].next = index;
      extend_chain(mine.chain, hit, index);
      mine.last = hit;
    }
  }
  __device__ void write(const OpenChain& mine) const {
    if (mine.number != no_hit) read_.chains[begin_ + mine.number] = mine.chain;
  }

  const ChainedRead& read_;
  const std::uint32_t begin_;
  const std::int32_t band_;
  std::uint32_t count_ = 0;
  OpenChain open_[slots];
};

/// Broadcasts a lane's hit to all lanes. Hits of a cluster have the same contig and strand.
__device__ inline SeedHit hit_of_lane(const SeedHit& mine, int lane) {
  SeedHit hit = mine;
  hit.genome_begin = __shfl_sync(all_lanes, mine.genome_begin, lane);
  hit.query_begin = __shfl_sync(all_lanes, mine.query_begin, lane);
  hit.length = __shfl_sync(all_lanes, mine.length, lane);
  hit.rare = __shfl_sync(all_lanes, mine.rare ? 1 : 0, lane) != 0;
  return hit;
}

/// build_chains() of one cluster, hits [begin, end), by all lanes.
__device__ __noinline__ inline std::uint32_t build_chains_by_warp(const ChainedRead read, std::uint32_t begin,
                                                                  std::uint32_t end, std::int32_t band) {
  OpenChains open(read, begin, band);
  for (std::uint32_t first = begin; first < end; first += warp_threads) {
    const SeedHit mine = read.hit(first + lane_id() < end ? first + lane_id() : end - 1);
    for (std::uint32_t i = first; i < end && i < first + warp_threads; ++i)
      open.take(hit_of_lane(mine, static_cast<int>(i - first)), i);
  }
  return open.finish();
}

/// Builds the chain of a cluster; false if there is more than one.
__device__ inline bool join_single_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t begin,
                                         ChainsSeen& seen) {
  Chain chain;
  std::uint32_t end = begin + 1;
  if (!build_single_chain(options, read, begin, chain,
                          [&](std::uint32_t i, const Chain&) { read.marks[i] = 0, end = i + 1; }))
    return false;
  const bool many = end - begin > max_rebuilt_hits;
  if (many) store_chain(options, read, begin);
  mark_chain(read, chain, begin, many ? written : 0, seen);
  return true;
}

/// Marks whether a hit has a chain of its cluster, and scores the chain.
__device__ inline void finish_chain(const AlignOptions& options, const ChainedRead& read, std::uint32_t at, bool exists,
                                    ChainsSeen& seen) {
  read.marks[at] = 0;
  if (!exists) return;
  Chain& chain = read.chains[at];
  chain.alt = options.is_alt(chain.contig);
  chain.score = expected_score(chain, read.hits, options.scoring,
                               [&](const SeedHit& hit) { return read.ungapped_scores[&hit - read.hits]; });
  mark_chain(read, chain, at, written, seen);
}

/// The fields that starts_new_cluster() compares.
struct HitPosition {
  GenomePos genome_begin;
  std::uint32_t contig;  // and the strand

  __device__ explicit HitPosition(const SeedHit& hit)
      : genome_begin(hit.genome_begin), contig(hit.contig << 1 | (hit.reverse ? 1 : 0)) {}
  __device__ SeedHit hit() const {
    SeedHit hit;
    hit.genome_begin = genome_begin, hit.contig = contig >> 1, hit.reverse = (contig & 1) != 0;
    return hit;
  }
  __device__ HitPosition of_lane(unsigned lane) const {
    HitPosition other = *this;
    other.genome_begin = __shfl_sync(all_lanes, genome_begin, static_cast<int>(lane));
    other.contig = __shfl_sync(all_lanes, contig, static_cast<int>(lane));
    return other;
  }
};

/// Builds the chains of clusters of one hit, and lists in read.kept where the others begin. Returns their number. The
/// hits of the next iteration are loaded while the current ones are processed.
__device__ inline std::uint32_t join_single_hits(const AlignOptions& options, const ChainedRead& read,
                                                 ChainsSeen& seen) {
  constexpr unsigned last_lane = warp_threads - 1;
  const unsigned lane = lane_id();
  const auto new_cluster = [&](const HitPosition& before, const HitPosition& position) {
    return starts_new_cluster(before.hit(), position.hit(), read.length, options.band);
  };
  std::uint32_t listed = 0;
  SeedHit hit = read.hit(lane < read.count ? lane : read.count - 1);
  HitPosition before(hit);  // the last hit of the previous iteration
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane, next = i + warp_threads;
    const SeedHit coming = read.hit(next < read.count ? next : read.count - 1);
    const HitPosition position(hit), following = HitPosition(coming).of_lane(0),
                                     left = position.of_lane(lane == 0 ? 0 : lane - 1);
    const bool begins = i >= read.count || i == 0 || new_cluster(lane == 0 ? before : left, position);
    const unsigned all = __ballot_sync(all_lanes, begins);  // also set past the last hit
    const bool ends =
        lane == last_lane ? i + 1 >= read.count || new_cluster(position, following) : (all >> (lane + 1) & 1) != 0;
    if (i < read.count && begins && ends)
      mark_chain(read, scored(options, SingleChainBuilder(hit, i, read.ungapped_scores[i])), i, 0, seen);
    const bool longer = i < read.count && begins && !ends;
    const unsigned others = __ballot_sync(all_lanes, longer);
    if (longer) read.kept[listed + static_cast<std::uint32_t>(__popc(others & lower_lane_mask()))] = i;
    listed += static_cast<std::uint32_t>(__popc(others));
    before = position.of_lane(last_lane);
    hit = coming;
  }
  __syncwarp();
  return listed;
}

/// Builds the chains of listed clusters that form one chain, and lists the others. Returns their number.
__device__ inline std::uint32_t join_single_chains(const AlignOptions& options, const ChainedRead& read,
                                                   std::uint32_t listed, ChainsSeen& seen) {
  std::uint32_t left = 0;
  for (std::uint32_t first = 0; first < listed; first += warp_threads) {
    const bool mine = first + lane_id() < listed;
    const std::uint32_t begin = mine ? read.kept[first + lane_id()] : 0;
    const bool several = mine && !join_single_chain(options, read, begin, seen);
    const unsigned others = __ballot_sync(all_lanes, several);
    if (several) read.kept[left + static_cast<std::uint32_t>(__popc(others & lower_lane_mask()))] = begin;
    left += static_cast<std::uint32_t>(__popc(others));
  }
  __syncwarp();
  return left;
}

/// Builds the chains of the listed clusters, one lane per cluster.
__device__ inline void join_clusters(const AlignOptions& options, const ChainedRead& read, std::uint32_t listed,
                                     ChainsSeen& seen) {
  for (std::uint32_t first = 0; first < listed; first += warp_threads) {
    const bool mine = first + lane_id() < listed;
    const std::uint32_t begin = mine ? read.kept[first + lane_id()] : 0;
    std::uint32_t end = begin;
    if (mine) {
      do ++end;
      while (end < read.count && !starts_new_cluster(read.hits[end - 1], read.hits[end], read.length, options.band));
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

/// Builds the chains of all clusters.
__device__ inline void join_hits(const AlignOptions& options, const ChainedRead& read, ChainsSeen& seen) {
  const std::uint32_t clusters = join_single_hits(options, read, seen);
  join_clusters(options, read, join_single_chains(options, read, clusters, seen), seen);
}

}  // namespace warpseed::align::cuda
