#include "sort/short_segments.cuh"

namespace warpseed::sort::cuda {

namespace {

constexpr std::uint32_t max_buckets = 256;
constexpr std::uint32_t longest_bucket = 1024;  // what one warp can sort

/// The buckets of a block's segment, and the range of its keys.
struct BlockMemory {
  std::uint32_t counts[max_buckets];
  std::uint32_t begins[max_buckets];   // in `order`; even, so that a bucket's indices can be stored in pairs
  std::uint32_t targets[max_buckets];  // in the segment
  std::uint32_t cursors[max_buckets];
  std::uint32_t lowest, highest, largest_bucket;
};

/// keys [length] and order [length + max_buckets] follow BlockMemory in shared memory.
std::uint32_t shared_bytes(std::uint32_t longest) {
  return static_cast<std::uint32_t>(sizeof(BlockMemory)) + 4 * longest + 2 * (longest + max_buckets);
}

/// Loads keys to shared memory and their range to memory.lowest and highest.
__device__ void load_keys(BlockMemory& memory, std::uint32_t* keys, const std::uint32_t* from, std::uint32_t length) {
  constexpr unsigned at_once = 8;  // loads in flight per thread
  std::uint32_t lowest = 0xFFFFFFFFU, highest = 0;
  for (std::uint32_t first = threadIdx.x; first < length; first += at_once * blockDim.x) {
    std::uint32_t loaded[at_once];
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      loaded[i] = __ldcs(from + min(first + i * blockDim.x, length - 1));  // loading the last key again does no harm
    }
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i) {
      keys[min(first + i * blockDim.x, length - 1)] = loaded[i];
      lowest = min(lowest, loaded[i]), highest = max(highest, loaded[i]);
    }
  }
  lowest = __reduce_min_sync(all_lanes, lowest), highest = __reduce_max_sync(all_lanes, highest);
  if (lane_id() == 0) {
    atomicMin(&memory.lowest, lowest);
    atomicMax(&memory.highest, highest);
  }
}

/// The first warp turns counts into begins, targets and cursors.
__device__ void sum_up(BlockMemory& memory, std::uint32_t buckets) {
  std::uint32_t before = 0, before_even = 0, largest = 0;
  for (std::uint32_t first = 0; first < buckets; first += 32) {
    const std::uint32_t bucket = first + lane_id();
    const std::uint32_t size = bucket < buckets ? memory.counts[bucket] : 0, even = size + (size & 1);
    std::uint32_t sum = size, even_sum = even;
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t left = __shfl_up_sync(all_lanes, sum, step);
      const std::uint32_t even_left = __shfl_up_sync(all_lanes, even_sum, step);
      if (lane_id() >= step) sum += left, even_sum += even_left;
    }
    if (bucket < buckets) {
      memory.targets[bucket] = before + sum - size;
      memory.begins[bucket] = memory.cursors[bucket] = before_even + even_sum - even;
    }
    before += __shfl_sync(all_lanes, sum, 31), before_even += __shfl_sync(all_lanes, even_sum, 31);
    largest = max(largest, size);
  }
  largest = __reduce_max_sync(all_lanes, largest);
  if (lane_id() == 0) memory.largest_bucket = largest;
}

/// Stores indices in their buckets, in any order; the sort of a bucket puts them in order.
__device__ void fill_buckets(BlockMemory& memory, const std::uint32_t* keys, std::uint16_t* order, std::uint32_t length,
                             const KeyCut& cut) {
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < length; i += blockDim.x) {
    order[atomicAdd(&memory.cursors[cut.digit(keys[i])], 1U)] = static_cast<std::uint16_t>(i);
  }
}

template <int items, class Value>
__device__ void sort_bucket(const PairArrays<Value>& pairs, const SortUnit& unit, std::uint64_t segment_begin,
                            std::uint64_t target) {
  warp_sort_unit<items>(unit, [&](std::uint32_t q) { return std::uint32_t{unit.order[q]}; });
  write_unit<2>(pairs, unit, segment_begin, target);
}

/// Sorts and writes one of the segment's buckets.
template <class Value>
__device__ void finish_bucket(const PairArrays<Value>& pairs, const SortUnit& unit, std::uint64_t segment_begin,
                              std::uint64_t target) {
  if (unit.count <= 64) {
    sort_bucket<2>(pairs, unit, segment_begin, target);
  } else if (unit.count <= 128) {
    sort_bucket<4>(pairs, unit, segment_begin, target);
  } else if (unit.count <= 256) {
    sort_bucket<8>(pairs, unit, segment_begin, target);
  } else if (unit.count <= 384) {
    sort_bucket<12>(pairs, unit, segment_begin, target);
  } else if (unit.count <= 512) {
    sort_bucket<16>(pairs, unit, segment_begin, target);
  } else {
    sort_bucket<32>(pairs, unit, segment_begin, target);
  }
}

template <class Value, unsigned threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
    block_segments_kernel(PairArrays<Value> pairs, int which, std::uint32_t longest, ListsView lists) {
  extern __shared__ BlockMemory memories[];
  BlockMemory& memory = memories[0];
  auto* keys = reinterpret_cast<std::uint32_t*>(memories + 1);
  auto* order = reinterpret_cast<std::uint16_t*>(keys + longest);
  const ShortSegment segment = lists.short_segments[which][blockIdx.x];
  const std::uint32_t length = segment.length();
  for (std::uint32_t i = threadIdx.x; i < max_buckets; i += blockDim.x) memory.counts[i] = 0;
  if (threadIdx.x == 0) memory.lowest = 0xFFFFFFFFU, memory.highest = 0;
  __syncthreads();
  load_keys(memory, keys, pairs.keys + segment.begin(), length);
  prefetch_values(pairs.values + segment.begin(), length);
  __syncthreads();
  const auto cut = KeyCut::top_bits(memory.lowest, memory.highest, bits_for_parts(length, lists.tuning.bucket_length));
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < length; i += blockDim.x) atomicAdd(&memory.counts[cut.digit(keys[i])], 1U);
  __syncthreads();
  if (threadIdx.x < 32) sum_up(memory, 1U << cut.bits);
  __syncthreads();
  if (memory.largest_bucket > longest_bucket) {
    if (threadIdx.x == 0) lists.add(long_class, segment.begin(), length);
    return;
  }
  fill_buckets(memory, keys, order, length, cut);
  __syncthreads();
  for (std::uint32_t bucket = threadIdx.x / 32; bucket < 1U << cut.bits; bucket += blockDim.x / 32) {
    const SortUnit unit{keys,
                        order + memory.begins[bucket],
                        memory.counts[bucket],
                        cut.first_key(bucket),
                        cut.shift,
                        bits_in(length - 1)};
    if (unit.count > 0) finish_bucket(pairs, unit, segment.begin(), segment.begin() + memory.targets[bucket]);
  }
}

template <class Value, unsigned threads>
void launch_blocks(const PairArrays<Value>& pairs, int which, std::uint32_t count, const ListsView& lists,
                   const Stream& stream) {
  const std::uint32_t longest = class_longest[which], bytes = shared_bytes(longest);
  check(cudaFuncSetAttribute(block_segments_kernel<Value, threads>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "asking for shared memory");
  block_segments_kernel<Value, threads><<<count, threads, bytes, stream.handle()>>>(pairs, which, longest, lists);
  check_launch("block_segments_kernel", stream.handle());
}

}  // namespace

template <class Value>
void sort_by_blocks(const PairArrays<Value>& pairs, int which, std::uint32_t count, const ListsView& lists,
                    const Stream& stream) {
  if (count == 0) return;
  switch (lists.tuning.block_threads[which - warp_classes]) {
    case 128: return launch_blocks<Value, 128>(pairs, which, count, lists, stream);
    case 256: return launch_blocks<Value, 256>(pairs, which, count, lists, stream);
    case 512: return launch_blocks<Value, 512>(pairs, which, count, lists, stream);
    case 1024: return launch_blocks<Value, 1024>(pairs, which, count, lists, stream);
  }
  throw std::invalid_argument("sort_by_blocks: 128, 256, 512 or 1024 threads");
}

template void sort_by_blocks(const PairArrays<NoValue>&, int, std::uint32_t, const ListsView&, const Stream&);
template void sort_by_blocks(const PairArrays<std::uint32_t>&, int, std::uint32_t, const ListsView&, const Stream&);
template void sort_by_blocks(const PairArrays<std::uint64_t>&, int, std::uint32_t, const ListsView&, const Stream&);

}  // namespace warpseed::sort::cuda
