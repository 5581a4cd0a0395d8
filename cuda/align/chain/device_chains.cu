// The chains of a part of a batch, one warp per read. The results equal those of build_chains() and filter_chains().
#include "align/chain/device_chains.cuh"

#include <utility>

#include "align/chain/device_diagonal_scores.cuh"
#include "align/chain/warp_build_chains.cuh"
#include "align/chain/warp_filter_chains.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t chaining_warps = 64;  // per multiprocessor; more than can run at a time gain nothing
constexpr std::uint32_t few_hits = 4;         // of a read that one thread chains

struct ChainingView {
  AlignmentView aligning;
  SeedHit* hits;
  const std::int32_t* ungapped_scores;
  Chain* chains;
  ChainMark* marks;
  std::uint64_t *keys, *sorted;
  std::uint32_t* kept;

  /// bins: see ChainedRead.
  __device__ ChainedRead read(std::uint64_t i, std::uint32_t* bins) const {
    const std::uint64_t at = aligning.hit_begin(i);
    return {hits + at, ungapped_scores + at,  chains + at,       marks + at, keys + at, sorted + at, kept + at,
            bins,      aligning.hit_count(i), aligning.length(i)};
  }
};

/// The results of each read: the number of kept chains and of their hits.
struct ChainCounts {
  std::uint32_t* chains;
  std::uint64_t* hits;
};

/// Handles reads with few hits, one thread each. sizes: hits of the other reads, 0 for these. many: number of others.
__global__ void chain_few_kernel(ChainingView view, ChainCounts counts, std::uint32_t* sizes, std::uint32_t* many) {
  const std::uint64_t index = thread_index();
  if (index >= view.aligning.read_count) return;
  const AlignOptions& options = view.aligning.options;
  const ChainedRead read = view.read(index, nullptr);
  sizes[index] = read.count > few_hits ? read.count : 0;
  if (read.count > few_hits) {
    atomicAdd(many, 1U);
    return;
  }
  const std::uint32_t built = build_chains(read.hits, 0, read.count, read.length, options.band, read.chains);
  for (std::uint32_t c = 0; c < built; ++c) read.chains[c].alt = options.is_alt(read.chains[c].contig);
  const auto score_of = [&](const Chain& chain) {
    return expected_score(chain, read.hits, options.scoring,
                          [&](const SeedHit& hit) { return read.ungapped_scores[&hit - read.hits]; });
  };
  const std::uint32_t kept = filter_chains(read.chains, built, read.length, options, score_of, [](const Chain&) {});
  std::uint64_t hits = 0;
  for (std::uint32_t c = 0; c < kept; ++c) {
    read.kept[c] = c;
    for (std::uint32_t h = read.chains[c].first; h != no_hit; h = read.hits[h].next) ++hits;
  }
  counts.chains[index] = kept, counts.hits[index] = hits;
}

/// Handles all other reads, those with the most hits first.
__global__ void __launch_bounds__(threads_per_block, 3)
    chain_kernel(ChainingView view, const std::uint32_t* order, const std::uint32_t* many, std::uint32_t* next,
                 ChainCounts counts) {
  __shared__ std::uint32_t bins[threads_per_block / warp_threads][1U << rank_bits];
  const AlignOptions& options = view.aligning.options;
  for_each_job(*many, next, [&](std::uint64_t taken) {
    const std::uint32_t index = order[taken];
    const ChainedRead read = view.read(index, bins[threadIdx.x / warp_threads]);
    ChainsSeen seen;
    join_hits(options, read, seen);
    const std::uint32_t kept = filter_chains_by_warp(options, read, seen);
    const std::uint32_t hits = count_hits(read, kept);
    if (lane_id() == 0) counts.chains[index] = kept, counts.hits[index] = hits;
  });
}

}  // namespace

DeviceChains chain_hits(const AlignmentView& view, Buffer<SeedHit> hits, const Stream& stream) {
  const std::uint64_t hit_count = hits.size();
  Buffer<std::int32_t> ungapped_scores = ungapped_diagonal_scores(view, hits.view(), stream);
  DeviceChains result = {std::move(hits),
                         std::move(ungapped_scores),
                         Buffer<Chain>(hit_count, stream),
                         Buffer<std::uint32_t>(hit_count, stream),
                         Buffer<std::uint32_t>(view.read_count, stream),
                         Buffer<std::uint64_t>(view.read_count + 1, stream)};
  Buffer<ChainMark> marks(hit_count, stream);
  Buffer<std::uint64_t> keys(hit_count, stream), sorted(hit_count, stream);
  Buffer<std::uint32_t> sizes(view.read_count, stream), counters(2, stream);
  result.room.fill_zero(), counters.fill_zero();
  std::uint32_t *const many = counters.data(), *const next = many + 1;
  const ChainingView chaining = {
      view,          result.hits.data(), result.ungapped_scores.data(), result.chains.data(), marks.data(), keys.data(),
      sorted.data(), result.kept.data()};
  const ChainCounts counts = {result.counts.data(), result.room.data()};
  launch("chain_few_kernel", chain_few_kernel, view.read_count, stream, chaining, counts, sizes.data(), many);
  const Buffer<std::uint32_t> order = largest_first(sizes, stream);
  launch("chain_kernel", chain_kernel, chaining_warps * multiprocessors(stream.device()) * warp_threads, stream,
         chaining, order.data(), many, next, counts);
  return result;
}

}  // namespace warpseed::align::cuda
