// The chains of a part of a batch of reads.
#include "align/chain_core.hpp"
#include "align/device_placer.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr unsigned warp_threads = 32;

/// A warp a read: what an alignment along each hit's diagonal scores without gaps.
__global__ void promise_kernel(PlacingView view, const Hit* hits, std::int32_t* promises) {
  const std::uint64_t read = thread_index() / warp_threads;
  if (read >= view.read_count) return;
  const std::uint64_t begin = view.hit_begin(read), end = begin + view.hit_count(read);
  for (std::uint64_t i = begin + threadIdx.x % warp_threads; i < end; i += warp_threads) {
    const Hit& hit = hits[i];
    const PackedRead packed = view.reads.orientation(2 * (view.first_read + read) + (hit.reverse ? 1 : 0));
    const DiagonalStretch stretch =
        stretch_on_diagonal(packed.length(), hit.query_begin, view.genome, hit.genome_begin);
    promises[i] = diagonal_score(packed, stretch, view.genome.text, view.options.scoring);
  }
}

__global__ void count_hits_of_reads_kernel(PlacingView view, std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read < view.read_count) counts[read] = view.hit_count(read);
}

__global__ void chain_kernel(PlacingView view, View<std::uint32_t> order, Hit* hits, const std::int32_t* promises,
                             Chain* chains, std::uint32_t* counts, std::uint64_t* room) {
  const std::uint64_t at = thread_index();
  if (at >= order.size) return;
  const std::uint32_t read = order[at], count = view.hit_count(read), length = view.length(read);
  const std::uint64_t begin = view.hit_begin(read);
  hits += begin, promises += begin, chains += begin;
  const std::uint32_t built = build_chains(hits, count, length, view.options.band, chains);
  for (std::uint32_t c = 0; c < built; ++c) chains[c].alt = view.options.is_alt(chains[c].contig);
  const auto score_of = [&](const Chain& chain) {
    return expected_score(chain, hits, view.options.scoring, [&](const Hit& hit) { return promises[&hit - hits]; });
  };
  const std::uint32_t kept = filter_chains(chains, built, length, view.options, score_of, [](const Chain&) {});
  std::uint32_t hits_kept = 0;
  for (std::uint32_t c = 0; c < kept; ++c) {
    for (std::uint32_t h = chains[c].first; h != no_hit; h = hits[h].next) ++hits_kept;
  }
  counts[read] = kept;
  room[read] = hits_kept;
}

__global__ void fill_order_kernel(View<std::uint32_t> values, std::uint64_t* keys, std::uint32_t* numbers) {
  const std::uint64_t i = thread_index();
  if (i < values.size) keys[i] = ~values[i], numbers[i] = static_cast<std::uint32_t>(i);
}

}  // namespace

Buffer<std::uint32_t> largest_first(const Buffer<std::uint32_t>& values, const Stream& stream) {
  SortablePairs<std::uint32_t> pairs(values.size(), stream);
  launch("fill_order_kernel", fill_order_kernel, values.size(), stream, values.view(), pairs.keys.data(),
         pairs.values.data());
  pairs.sort(values.size(), 0, 32, stream);
  return std::move(pairs.values);
}

DeviceChains chain_hits(const PlacingView& view, Buffer<Hit> hits, const Stream& stream) {
  const std::uint64_t hit_count = hits.size();
  DeviceChains result = {std::move(hits), Buffer<std::int32_t>(hit_count, stream), Buffer<Chain>(hit_count, stream),
                         Buffer<std::uint32_t>(view.read_count, stream),
                         Buffer<std::uint64_t>(view.read_count + 1, stream)};
  launch("promise_kernel", promise_kernel, warp_threads * view.read_count, stream, view, result.hits.data(),
         result.promises.data());
  launch("count_hits_of_reads_kernel", count_hits_of_reads_kernel, view.read_count, stream, view, result.counts.data());
  const Buffer<std::uint32_t> order = largest_first(result.counts, stream);
  result.room.fill_zero();
  launch("chain_kernel", chain_kernel, view.read_count, stream, view, order.view(), result.hits.data(),
         result.promises.data(), result.chains.data(), result.counts.data(), result.room.data());
  return result;
}

}  // namespace warpseed::cuda
