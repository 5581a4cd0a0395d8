#include <algorithm>

#include "sort/short_segments.cuh"

namespace warpseed::sort::cuda {

namespace {

constexpr unsigned warps_per_block = 4;  // few, so that a short segment waits little for its block's longest

/// A warp's shared memory: the keys of its segment in input order, and their indices in sorted order.
template <int items>
struct WarpMemory {
  std::uint32_t keys[32 * items];
  alignas(4) std::uint16_t order[32 * items];
};

template <int items>
constexpr unsigned index_bits_of = items <= 2    ? 6
                                   : items <= 4  ? 7
                                   : items <= 8  ? 8
                                   : items <= 16 ? 9
                                                 : 10;

/// Neighbouring classes share a launch, so that the tail of one overlaps with the next: the classes with few numbers
/// per thread, which need few registers, and the others.
constexpr int small_classes = 4, large_classes = warp_classes - small_classes;
constexpr int max_classes = 4;

/// The lists that a launch sorts, longest segments first.
struct WarpWork {
  const ShortSegment* segments[max_classes];
  std::uint32_t counts[max_classes];
  std::uint32_t end_blocks[max_classes];  // blocks of this list and the preceding ones
};

/// Loads a segment's keys; returns the lowest and the highest.
template <int items>
__device__ void load_keys(WarpMemory<items>& memory, const std::uint32_t* keys, std::uint32_t count,
                          std::uint32_t& lowest, std::uint32_t& highest) {
  std::uint32_t loaded[items];
  lowest = 0xFFFFFFFFU, highest = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t q = static_cast<std::uint32_t>(i) * 32 + lane_id();
    if (q < count) loaded[i] = __ldcs(keys + q);
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t q = static_cast<std::uint32_t>(i) * 32 + lane_id();
    if (q >= count) continue;
    memory.keys[q] = loaded[i];
    lowest = min(lowest, loaded[i]), highest = max(highest, loaded[i]);
  }
  lowest = __reduce_min_sync(all_lanes, lowest), highest = __reduce_max_sync(all_lanes, highest);
  __syncwarp();
}

/// A warp of a block of list `which` sorts its segment, if one is left.
template <int which, int items, class Value>
__device__ void sort_segment(const PairArrays<Value>& pairs, const WarpWork& work, void* raw_memory) {
  const std::uint32_t first_block = which == 0 ? 0 : work.end_blocks[which == 0 ? 0 : which - 1];
  const std::uint32_t number = (blockIdx.x - first_block) * warps_per_block + threadIdx.x / 32;
  if (number >= work.counts[which]) return;
  auto& memory = static_cast<WarpMemory<items>*>(raw_memory)[threadIdx.x / 32];
  const ShortSegment segment = work.segments[which][number];
  std::uint32_t lowest, highest;
  load_keys(memory, pairs.keys + segment.begin(), segment.length(), lowest, highest);
  const unsigned range_bits = bits_in(highest - lowest);
  const SortUnit unit{memory.keys, memory.order, segment.length(), lowest, range_bits, index_bits_of<items>};
  warp_sort_unit<items>(unit, [](std::uint32_t q) { return q; });
  write_unit < items<4 ? items : 4>(pairs, unit, segment.begin(), segment.begin());
}

/// Finds the block's list. All indices are constants: an array with variable indices would be copied to local memory.
template <int which, int items, int... others, class Value>
__device__ void sort_segment_of_list(const PairArrays<Value>& pairs, const WarpWork& work, void* memory) {
  if constexpr (sizeof...(others) > 0) {
    if (blockIdx.x >= work.end_blocks[which]) return sort_segment_of_list<which + 1, others...>(pairs, work, memory);
  }
  sort_segment<which, items>(pairs, work, memory);
}

/// blocks_wanted: resident blocks per multiprocessor; limits registers to what sorting needs for occupancy.
template <class Value, unsigned blocks_wanted, int... items>
__global__ void __launch_bounds__(32 * warps_per_block, blocks_wanted)
    warp_segments_kernel(PairArrays<Value> pairs, WarpWork work) {
  __shared__ WarpMemory<std::max({items...})> memories[warps_per_block];
  sort_segment_of_list<0, items...>(pairs, work, memories);
}

/// The classes [first, first + count), the last of them first.
WarpWork work_of(int first, int count, const ClassCounts& counts, const ListsView& lists) {
  WarpWork work{};
  std::uint32_t blocks = 0;
  for (int i = 0; i < count; ++i) {
    const int which = first + count - 1 - i;
    work.segments[i] = lists.short_segments[which];
    work.counts[i] = counts[static_cast<std::size_t>(which)];
    work.end_blocks[i] = blocks += (work.counts[i] + warps_per_block - 1) / warps_per_block;
  }
  return work;
}

template <class Value>
void launch_work(void (*kernel)(PairArrays<Value>, WarpWork), std::uint32_t blocks, const PairArrays<Value>& pairs,
                 const WarpWork& work, const Stream& stream) {
  if (blocks == 0) return;
  kernel<<<blocks, 32 * warps_per_block, 0, stream.handle()>>>(pairs, work);
  check_launch("warp_segments_kernel", stream.handle());
}

}  // namespace

template <class Value>
void sort_by_warps(const PairArrays<Value>& pairs, const ClassCounts& counts, const ListsView& lists,
                   const Stream& stream) {
  const WarpWork many = work_of(small_classes, large_classes, counts, lists);
  launch_work(warp_segments_kernel<Value, 6, 24, 16, 12>, many.end_blocks[large_classes - 1], pairs, many, stream);
  const WarpWork few = work_of(0, small_classes, counts, lists);
  launch_work(warp_segments_kernel<Value, 10, 8, 6, 4, 2>, few.end_blocks[small_classes - 1], pairs, few, stream);
}

template void sort_by_warps(const PairArrays<NoValue>&, const ClassCounts&, const ListsView&, const Stream&);
template void sort_by_warps(const PairArrays<std::uint32_t>&, const ClassCounts&, const ListsView&, const Stream&);
template void sort_by_warps(const PairArrays<std::uint64_t>&, const ClassCounts&, const ListsView&, const Stream&);

}  // namespace warpseed::sort::cuda
