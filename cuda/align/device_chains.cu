// The chains of a part of a batch of reads: a warp a read. What comes out is what build_chains() and filter_chains() give.
#include <utility>

#include "align/device_placer.cuh"
#include "align/warp_filter.cuh"
#include "align/warp_join.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

struct ChainingView {
  PlacingView placing;
  Hit* hits;
  const std::int32_t* promises;
  Chain* chains;
  ChainMark* marks;
  std::uint64_t *keys, *sorted;
  std::uint32_t* kept;

  __device__ ChainedRead read(std::uint64_t i) const {
    const std::uint64_t at = placing.hit_begin(i);
    return {hits + at,   promises + at, chains + at,          marks + at,       keys + at,
            sorted + at, kept + at,     placing.hit_count(i), placing.length(i)};
  }
};

__global__ void chain_kernel(ChainingView view, View<std::uint32_t> order, std::uint32_t* next, std::uint32_t* counts,
                             std::uint64_t* room) {
  const AlignOptions& options = view.placing.options;
  for_each_taken(order.size, next, [&](std::uint64_t taken) {
    const std::uint32_t index = order[taken];
    const ChainedRead read = view.read(index);
    ChainsSeen seen;
    join_hits(options, read, seen);
    const std::uint32_t kept = filter_chains_by_warp(options, read, seen);
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
  Buffer<std::int32_t> promises = find_promises(view, hits.view(), stream);
  DeviceChains result = {std::move(hits),
                         std::move(promises),
                         Buffer<Chain>(hit_count, stream),
                         Buffer<std::uint32_t>(hit_count, stream),
                         Buffer<std::uint32_t>(view.read_count, stream),
                         Buffer<std::uint64_t>(view.read_count + 1, stream)};
  Buffer<ChainMark> marks(hit_count, stream);
  Buffer<std::uint64_t> keys(hit_count, stream), sorted(hit_count, stream);
  Buffer<std::uint32_t> next(1, stream);
  launch("count_hits_of_reads_kernel", count_hits_of_reads_kernel, view.read_count, stream, view, result.counts.data());
  const Buffer<std::uint32_t> order = largest_first(result.counts, stream);
  result.room.fill_zero(), next.fill_zero();
  const ChainingView chaining = {view,         result.hits.data(), result.promises.data(), result.chains.data(),
                                 marks.data(), keys.data(),        sorted.data(),          result.kept.data()};
  launch("chain_kernel", chain_kernel, warps * warp_threads, stream, chaining, order.view(), next.data(),
         result.counts.data(), result.room.data());
  return result;
}

}  // namespace warpseed::cuda
