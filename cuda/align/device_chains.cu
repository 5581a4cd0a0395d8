// The chains of a part of a batch of reads: a warp a read.
//
// Hits far enough from those before them begin chains of their own, so that a lane joins the hits of one such cluster
// after the other; where a cluster is large, the lanes ask its open chains side by side. Chains stay where the hits of
// their cluster stand; the filter lists those that are kept. What comes out is what build_chains() and filter_chains()
// give.
#include <utility>

#include "align/chain_core.hpp"
#include "align/device_placer.cuh"
#include "align/diagonal_table.hpp"
#include "align/warp.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint32_t large_cluster = 48;  // hits; joined by all lanes

/// What a warp works on: one read's hits and all that is kept for each of them.
struct ChainedRead {
  Hit* hits;
  std::int32_t* promises;  // what an alignment along each hit's diagonal scores without gaps
  Chain* chains;           // first == no_hit: none here
  std::uint64_t *keys, *sorted;
  std::uint32_t* kept;
  std::uint32_t count, length;
};

struct ChainingView {
  PlacingView placing;
  DiagonalTable table;
  Hit* hits;
  std::int32_t* promises;
  Chain* chains;
  std::uint64_t *keys, *sorted;
  std::uint32_t* kept;

  __device__ ChainedRead read(std::uint64_t i) const {
    const std::uint64_t at = placing.hit_begin(i);
    return {hits + at,   promises + at, chains + at,          keys + at,
            sorted + at, kept + at,     placing.hit_count(i), placing.length(i)};
  }
};

/// Calls work(i) for every 32nd i below `count`, beginning with the lane's number; all lanes come back together.
template <class Work>
__device__ void for_lanes(std::uint32_t count, Work work) {
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) work(i);
  __syncwarp();
}

__device__ void find_promises(const ChainingView& view, std::uint64_t index, const ChainedRead& read,
                              const DiagonalStep* steps) {
  for_lanes(read.count, [&](std::uint32_t i) {
    const Hit& hit = read.hits[i];
    const PackedRead packed =
        view.placing.reads.orientation(2 * (view.placing.first_read + index) + (hit.reverse ? 1 : 0));
    const DiagonalStretch stretch =
        stretch_on_diagonal(packed.length(), hit.query_begin, view.placing.genome, hit.genome_begin);
    read.promises[i] = diagonal_score(packed, stretch, view.placing.genome.text, steps);
  });
}

/// nearest_chain(), in all lanes.
__device__ std::uint32_t nearest_chain_by_warp(const ChainedRead& read, const Chain* chains, std::uint32_t open,
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
__device__ std::uint32_t build_chains_by_warp(const ChainedRead& read, std::uint32_t begin, std::uint32_t end,
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

/// Marks the places behind a cluster's chains as empty and scores the chains.
__device__ void finish_chain(const ChainingView& view, const ChainedRead& read, std::uint32_t at, bool exists) {
  Chain& chain = read.chains[at];
  if (!exists) {
    chain.first = no_hit;
    return;
  }
  const AlignOptions& options = view.placing.options;
  chain.alt = options.is_alt(chain.contig);
  chain.score = expected_score(chain, read.hits, options.scoring,
                               [&](const Hit& hit) { return read.promises[&hit - read.hits]; });
}

__device__ bool begins_cluster(const ChainedRead& read, std::uint32_t i, std::int32_t band) {
  return i >= read.count || i == 0 || begins_anew(read.hits[i - 1], read.hits[i], read.length, band);
}

/// The chains of all clusters, each lane that stands where one begins at its own.
__device__ void join_hits(const ChainingView& view, const ChainedRead& read) {
  const std::int32_t band = view.placing.options.band;
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t begin = first + lane_id();
    std::uint32_t end = begin;
    if (begin < read.count && begins_cluster(read, begin, band)) {
      do ++end;
      while (!begins_cluster(read, end, band));
    }
    const bool large = end - begin > large_cluster;
    if (end > begin && !large) {
      const std::uint32_t built = build_chains(read.hits, begin, end, read.length, band, read.chains + begin);
      for (std::uint32_t i = begin; i < end; ++i) finish_chain(view, read, i, i - begin < built);
    }
    for (unsigned waiting = __ballot_sync(all_lanes, large); waiting != 0; waiting &= waiting - 1) {
      const int lane = __ffs(waiting) - 1;
      const std::uint32_t from = __shfl_sync(all_lanes, begin, lane), to = __shfl_sync(all_lanes, end, lane);
      const std::uint32_t built = build_chains_by_warp(read, from, to, band);
      for_lanes(to - from, [&](std::uint32_t i) { finish_chain(view, read, from + i, i < built); });
    }
  }
  __syncwarp();
}

template <class Condition>
__device__ std::uint32_t count_chains(const ChainedRead& read, Condition condition) {
  std::uint32_t found = 0;
  for (std::uint32_t i = lane_id(); i < read.count; i += warp_threads)
    found += read.chains[i].first != no_hit && condition(read.chains[i]) ? 1 : 0;
  return __reduce_add_sync(all_lanes, found);
}

/// heaviest_chains(): takes out all others.
__device__ void keep_heaviest(const ChainedRead& read, std::uint32_t wanted) {
  if (count_chains(read, [](const Chain&) { return true; }) <= wanted) return;
  const ChainRank rank(read.length);
  const auto at_least = [&](std::uint32_t least) {
    return count_chains(read, [&](const Chain& chain) { return rank.of(chain) >= least; });
  };
  const std::uint32_t least = rank.of_last(wanted, at_least);
  std::uint32_t equals = wanted - at_least(least + 1);
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const bool exists = i < read.count && read.chains[i].first != no_hit;
    const std::uint32_t mine = exists ? rank.of(read.chains[i]) : 0;
    const unsigned equal = __ballot_sync(all_lanes, exists && mine == least);
    const bool kept = mine > least || (mine == least && static_cast<unsigned>(__popc(equal & lower_lanes())) < equals);
    if (exists && !kept) read.chains[i].first = no_hit;
    const auto met = static_cast<std::uint32_t>(__popc(equal));
    equals -= met < equals ? met : equals;
  }
  __syncwarp();
}

/// The higher score comes first, of equals the chain further left, as promises_more() says.
__device__ std::uint64_t key_of(const Chain& chain, std::uint32_t at) {
  return static_cast<std::uint64_t>(0x7FFFFFFF - chain.score) << 32 | at;
}

/// drop_hopeless(): lists in read.keys the most promising chain and all that it does not make hopeless.
__device__ std::uint32_t list_hopeful(const AlignOptions& options, const ChainedRead& read) {
  std::uint64_t best = 0;  // the complement of the smallest key
  for (std::uint32_t i = lane_id(); i < read.count; i += warp_threads) {
    if (read.chains[i].first == no_hit) continue;
    const std::uint64_t mine = ~key_of(read.chains[i], i);
    if (mine > best) best = mine;
  }
  best = largest_of_warp(best);
  if (best == 0) return 0;
  const auto at = ~static_cast<std::uint32_t>(best);
  const Chain leader = read.chains[at];
  std::uint32_t listed = 0;
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const bool exists = i < read.count && read.chains[i].first != no_hit;
    const bool hopeful = exists && (i == at || !gives_way(read.chains[i], leader, read.length, options));
    const unsigned all = __ballot_sync(all_lanes, hopeful);
    if (hopeful)
      read.keys[listed + static_cast<std::uint32_t>(__popc(all & lower_lanes()))] = key_of(read.chains[i], i);
    listed += static_cast<std::uint32_t>(__popc(all));
  }
  __syncwarp();
  return listed;
}

/// The rest of filter_chains(): lists in read.kept the chains that are extended, the most promising one foremost.
__device__ std::uint32_t keep_best(const AlignOptions& options, const ChainedRead& read, std::uint32_t listed) {
  for_lanes(listed, [&](std::uint32_t i) {
    const std::uint64_t mine = read.keys[i];
    std::uint32_t rank = 0;
    for (std::uint32_t j = 0; j < listed; ++j) rank += read.keys[j] < mine ? 1 : 0;
    read.sorted[rank] = mine;
  });
  std::uint32_t kept = 0, kept_alt = 0;
  for (std::uint32_t i = 0; i < listed; ++i) {
    const auto at = static_cast<std::uint32_t>(read.sorted[i]);
    const Chain& chain = read.chains[at];
    if ((chain.alt ? kept_alt : kept - kept_alt) >= options.max_chains) continue;
    bool gives = false;
    for (std::uint32_t first = 0; first < kept && !gives; first += warp_threads) {
      const std::uint32_t j = first + lane_id();
      gives = __any_sync(all_lanes, j < kept && gives_way(chain, read.chains[read.kept[j]], read.length, options));
    }
    if (gives) continue;
    if (lane_id() == 0) read.kept[kept] = at;
    if (chain.alt) ++kept_alt;
    ++kept;
    __syncwarp();
  }
  return kept;
}

/// Hits of the chains that are kept.
__device__ std::uint32_t count_hits(const ChainedRead& read, std::uint32_t kept) {
  std::uint32_t hits = 0;
  for (std::uint32_t i = lane_id(); i < kept; i += warp_threads) {
    for (std::uint32_t h = read.chains[read.kept[i]].first; h != no_hit; h = read.hits[h].next) ++hits;
  }
  return __reduce_add_sync(all_lanes, hits);
}

__global__ void chain_kernel(ChainingView view, View<std::uint32_t> order, std::uint32_t* next, std::uint32_t* counts,
                             std::uint64_t* room) {
  __shared__ DiagonalStep steps[diagonal_steps];
  static_assert(diagonal_steps == threads_per_block);
  steps[threadIdx.x] = view.table.steps()[threadIdx.x];
  __syncthreads();
  for_each_taken(order.size, next, [&](std::uint64_t taken) {
    const std::uint32_t index = order[taken];
    const ChainedRead read = view.read(index);
    find_promises(view, index, read, steps);
    join_hits(view, read);
    keep_heaviest(read, view.placing.options.max_diagonals);
    const std::uint32_t kept = keep_best(view.placing.options, read, list_hopeful(view.placing.options, read));
    const std::uint32_t hits = count_hits(read, kept);
    if (lane_id() == 0) counts[index] = kept, room[index] = hits;
  });
}

__global__ void count_hits_of_reads_kernel(PlacingView view, std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read < view.read_count) counts[read] = view.hit_count(read);
}

__global__ void fill_order_kernel(View<std::uint32_t> values, std::uint64_t* keys, std::uint32_t* numbers) {
  const std::uint64_t i = thread_index();
  if (i < values.size) keys[i] = ~values[i], numbers[i] = static_cast<std::uint32_t>(i);
}

__global__ void widen_kernel(View<std::uint32_t> from, std::uint64_t* to) {
  const std::uint64_t i = thread_index();
  if (i <= from.size) to[i] = i < from.size ? from[i] : 0;
}

}  // namespace

Buffer<std::uint64_t> sums_before(View<std::uint32_t> counts, const Stream& stream) {
  Buffer<std::uint64_t> sums(counts.size + 1, stream);
  launch("widen_kernel", widen_kernel, sums.size(), stream, counts, sums.data());
  exclusive_sum(sums, stream);
  return sums;
}

Buffer<std::uint32_t> largest_first(const Buffer<std::uint32_t>& values, const Stream& stream) {
  SortablePairs<std::uint32_t> pairs(values.size(), stream);
  launch("fill_order_kernel", fill_order_kernel, values.size(), stream, values.view(), pairs.keys.data(),
         pairs.values.data());
  pairs.sort(values.size(), 0, 32, stream);
  return std::move(pairs.values);
}

DeviceChains chain_hits(const PlacingView& view, Buffer<Hit> hits, const Stream& stream) {
  constexpr std::uint64_t warps = 132 * 64;  // more than are at work at a time bring nothing
  const std::uint64_t hit_count = hits.size();
  DeviceChains result = {std::move(hits),
                         Buffer<std::int32_t>(hit_count, stream),
                         Buffer<Chain>(hit_count, stream),
                         Buffer<std::uint32_t>(hit_count, stream),
                         Buffer<std::uint32_t>(view.read_count, stream),
                         Buffer<std::uint64_t>(view.read_count + 1, stream)};
  Buffer<std::uint64_t> keys(hit_count, stream), sorted(hit_count, stream);
  Buffer<std::uint32_t> next(1, stream);
  launch("count_hits_of_reads_kernel", count_hits_of_reads_kernel, view.read_count, stream, view, result.counts.data());
  const Buffer<std::uint32_t> order = largest_first(result.counts, stream);
  result.room.fill_zero(), next.fill_zero();
  const ChainingView chaining = {view,
                                 DiagonalTable(view.options.scoring),
                                 result.hits.data(),
                                 result.promises.data(),
                                 result.chains.data(),
                                 keys.data(),
                                 sorted.data(),
                                 result.kept.data()};
  launch("chain_kernel", chain_kernel, warps * warp_threads, stream, chaining, order.view(), next.data(),
         result.counts.data(), result.room.data());
  return result;
}

}  // namespace warpseed::cuda
