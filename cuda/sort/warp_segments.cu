#include "sort/short_segments.cuh"

namespace warpseed::cuda {

namespace {

constexpr unsigned warps_per_block = 4;  // few enough that a short segment does not wait long for its block's longest

/// A warp's shared memory: the keys of its segment as they come, and their indices as they go.
template <int items>
struct WarpMemory {
  std::uint32_t keys[32 * items];
  alignas(4) std::uint16_t order[32 * items];
};

template <int items>
constexpr unsigned index_bits_of = items <= 1    ? 5
                                   : items <= 2  ? 6
                                   : items <= 4  ? 7
                                   : items <= 8  ? 8
                                   : items <= 16 ? 9
                                                 : 10;

/// Loads a segment's keys; tells the lowest and the highest.
template <int items>
__device__ void load_keys(WarpMemory<items>& memory, const std::uint32_t* keys, std::uint32_t count,
                          std::uint32_t& lowest, std::uint32_t& highest) {
  std::uint32_t loaded[items];
  lowest = 0xFFFFFFFFU, highest = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t q = static_cast<std::uint32_t>(i) * 32 + lane_index();
    if (q < count) loaded[i] = keys[q];
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t q = static_cast<std::uint32_t>(i) * 32 + lane_index();
    if (q >= count) continue;
    memory.keys[q] = loaded[i];
    lowest = min(lowest, loaded[i]), highest = max(highest, loaded[i]);
  }
  lowest = __reduce_min_sync(all_lanes, lowest), highest = __reduce_max_sync(all_lanes, highest);
  __syncwarp();
}

/// Blocks to fit on a processor: limits registers to what sorting needs, for the sake of occupancy.
template <int items>
constexpr unsigned blocks_wanted = items <= 8    ? 12
                                   : items <= 16 ? 10
                                                 : 8;

template <int items, class Value>
__global__ void __launch_bounds__(32 * warps_per_block, blocks_wanted<items>)
    warp_segments_kernel(PairArrays<Value> pairs, const ShortSegment* segments, std::uint32_t count) {
  __shared__ WarpMemory<items> memories[warps_per_block];
  const std::uint32_t number = blockIdx.x * warps_per_block + threadIdx.x / 32;
  if (number >= count) return;
  WarpMemory<items>& memory = memories[threadIdx.x / 32];
  const ShortSegment segment = segments[number];
  std::uint32_t lowest, highest;
  load_keys(memory, pairs.keys + segment.begin(), segment.length(), lowest, highest);
  const SortUnit unit{memory.keys,         memory.order, segment.length(), lowest, bits_in(highest - lowest),
                      index_bits_of<items>};
  warp_sort_unit<items>(unit, [](std::uint32_t q) { return q; });
  write_unit(pairs, unit, segment.begin(), segment.begin());
}

template <int items, class Value>
void launch_warps(const PairArrays<Value>& pairs, int which, std::uint32_t count, const ListsView& lists,
                  const Stream& stream) {
  const unsigned blocks = (count + warps_per_block - 1) / warps_per_block;
  warp_segments_kernel<items, Value>
      <<<blocks, 32 * warps_per_block, 0, stream.handle()>>>(pairs, lists.short_segments[which], count);
  check_launch("warp_segments_kernel", stream.handle());
}

}  // namespace

template <class Value>
void sort_by_warps(const PairArrays<Value>& pairs, int which, std::uint32_t count, const ListsView& lists,
                   const Stream& stream) {
  if (count == 0) return;
  constexpr void (*launchers[warp_classes])(const PairArrays<Value>&, int, std::uint32_t, const ListsView&,
                                            const Stream&) = {
      launch_warps<2, Value>,  launch_warps<4, Value>,  launch_warps<6, Value>,  launch_warps<8, Value>,
      launch_warps<12, Value>, launch_warps<16, Value>, launch_warps<24, Value>, launch_warps<32, Value>};
  launchers[which](pairs, which, count, lists, stream);
}

template void sort_by_warps(const PairArrays<NoValue>&, int, std::uint32_t, const ListsView&, const Stream&);
template void sort_by_warps(const PairArrays<std::uint32_t>&, int, std::uint32_t, const ListsView&, const Stream&);
template void sort_by_warps(const PairArrays<std::uint64_t>&, int, std::uint32_t, const ListsView&, const Stream&);

}  // namespace warpseed::cuda
