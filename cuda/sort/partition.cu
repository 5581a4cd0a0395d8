#include "sort/partition.cuh"

#include <algorithm>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/short_segments.cuh"

namespace warpseed::sort::cuda {

namespace {

constexpr unsigned digit_bits = 8, digits = 1U << digit_bits;
constexpr unsigned threads = 512, warps = threads / 32;
constexpr unsigned items = 16;  // per thread and tile
constexpr std::uint32_t tile = threads * items;
constexpr std::uint32_t chunk = 4 * tile;  // a block's part of a segment: long enough to need few counters per key

/// The segments of a pass, their key ranges and chunks; owns nothing.
struct PartitionView {
  const LongSegment* segments;  // [count]
  std::uint32_t count;
  std::uint32_t* lowest;         // [count]
  std::uint32_t* highest;        // [count]
  std::uint32_t* chunk_begin;    // [count + 1] the segment's first chunk
  std::uint32_t* chunk_segment;  // [chunks]
  std::uint32_t* counters;       // [digits * chunks] by segment, digit, chunk; first keys of a digit in a chunk, then
                                 // the exclusive sums over all segments, modulo 2^32
  bool fine;
  SegmentedSortTuning tuning;

  __device__ KeyCut cut(std::uint32_t segment) const {
    const std::uint32_t length = segments[segment].length;
    const unsigned even = bits_for_parts(length, tuning.part_length), most = bits_in(length / 64) - 1;
    const bool crowded = fine || length <= tuning.block_longest;  // a segment with evenly spread keys would not be here
    return KeyCut::top_bits(lowest[segment], highest[segment], min(digit_bits, crowded ? most : even));
  }
  __device__ std::uint32_t chunks_of(std::uint32_t segment) const {
    return chunk_begin[segment + 1] - chunk_begin[segment];
  }
  __device__ std::uint64_t counter(std::uint32_t segment, std::uint32_t digit, std::uint32_t number) const {
    return std::uint64_t{chunk_begin[segment]} * digits + std::uint64_t{digit} * chunks_of(segment) + number;
  }
  /// Keys of a segment that precede those of a digit in one of its chunks.
  __device__ std::uint32_t keys_before(std::uint32_t segment, std::uint32_t digit, std::uint32_t number) const {
    return counters[counter(segment, digit, number)] - counters[counter(segment, 0, 0)];
  }
};

/// The chunk of one block: keys [begin, begin + length) of the array.
struct Chunk {
  std::uint32_t segment, number, length;
  std::uint64_t begin;

  __device__ explicit Chunk(const PartitionView& view) {
    segment = view.chunk_segment[blockIdx.x];
    number = blockIdx.x - view.chunk_begin[segment];
    const std::uint64_t before = std::uint64_t{number} * chunk;
    begin = view.segments[segment].begin + before;
    length = static_cast<std::uint32_t>(min(std::uint64_t{chunk}, view.segments[segment].length - before));
  }
};

__global__ void count_chunks_kernel(PartitionView view) {
  const std::uint64_t i = thread_index();
  if (i > view.count) return;
  view.chunk_begin[i] =
      i < view.count ? static_cast<std::uint32_t>((std::uint64_t{view.segments[i].length} + chunk - 1) / chunk) : 0;
  if (i < view.count) view.lowest[i] = 0xFFFFFFFFU, view.highest[i] = 0;
}

/// One thread per chunk finds its segment.
__global__ void map_chunks_kernel(PartitionView view, std::uint32_t chunks) {
  const std::uint64_t i = thread_index();
  if (i >= chunks) return;
  std::uint32_t begin = 0, end = view.count;  // the last segment that begins at or before chunk i
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (view.chunk_begin[middle] <= i) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  view.chunk_segment[i] = begin;
}

__global__ void __launch_bounds__(threads) range_kernel(PartitionView view, const std::uint32_t* keys) {
  const Chunk mine(view);
  std::uint32_t lowest = 0xFFFFFFFFU, highest = 0;
#pragma unroll 8
  for (std::uint32_t i = threadIdx.x; i < mine.length; i += threads) {
    const std::uint32_t key = keys[mine.begin + i];
    lowest = min(lowest, key), highest = max(highest, key);
  }
  lowest = __reduce_min_sync(all_lanes, lowest), highest = __reduce_max_sync(all_lanes, highest);
  if (lane_id() != 0) return;
  atomicMin(&view.lowest[mine.segment], lowest);
  atomicMax(&view.highest[mine.segment], highest);
}

__global__ void __launch_bounds__(threads) count_digits_kernel(PartitionView view, const std::uint32_t* keys) {
  __shared__ std::uint32_t counts[digits];
  const Chunk mine(view);
  const KeyCut cut = view.cut(mine.segment);
  for (std::uint32_t i = threadIdx.x; i < digits; i += threads) counts[i] = 0;
  __syncthreads();
#pragma unroll 8
  for (std::uint32_t i = threadIdx.x; i < mine.length; i += threads) {
    atomicAdd(&counts[cut.digit(keys[mine.begin + i])], 1U);
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < digits; i += threads) {
    if (i < 1U << cut.bits) view.counters[view.counter(mine.segment, i, mine.number)] = counts[i];
  }
}

/// Shared memory for moving a tile.
template <class Value>
struct MoveMemory {
  std::uint32_t counts[warps][digits];  // keys of a digit in a warp, then those in earlier warps
  std::uint32_t next[digits];           // target of the tile's first key of a digit in the segment
  std::uint32_t target[digits];         // next minus the tile's keys of smaller digits
  std::uint32_t first[digits];          // the tile's keys of smaller digits
  std::uint32_t warp_sums[warps];
  union {
    std::uint32_t keys[tile];
    Value values[tile];
  };
};

/// Number of keys with the same digit before each of the thread's keys in its warp; counts them in `counts`. Keys past
/// the tile's end count as the last digit.
template <class DigitOf>
__device__ void rank_in_warp(DigitOf digit_of, unsigned bits, std::uint32_t* counts, std::uint32_t (&ranks)[items]) {
  const std::uint32_t lanes_before = (1U << lane_id()) - 1;
#pragma unroll
  for (unsigned i = 0; i < items; ++i) {
    const std::uint32_t digit = digit_of(i);
    std::uint32_t same = all_lanes;
#pragma unroll
    for (unsigned bit = 0; bit < digit_bits; ++bit) {
      if (bit >= bits) break;
      const bool set = digit >> bit & 1;
      const std::uint32_t votes = __ballot_sync(all_lanes, set);
      same &= set ? votes : ~votes;
    }
    const std::uint32_t before = counts[digit];
    ranks[i] = before + static_cast<std::uint32_t>(__popc(same & lanes_before));
    __syncwarp();
    if ((same & lanes_before) == 0) counts[digit] = before + static_cast<std::uint32_t>(__popc(same));
    __syncwarp();
  }
}

/// Turns the counts of the warps into memory.counts, .first, .target and the next tile's .next. One thread per digit.
template <class Value>
__device__ void sum_up(MoveMemory<Value>& memory) {
  static_assert(threads >= digits);
  std::uint32_t total = 0;
  if (threadIdx.x < digits) {
#pragma unroll
    for (unsigned warp = 0; warp < warps; ++warp) {
      const std::uint32_t count = memory.counts[warp][threadIdx.x];
      memory.counts[warp][threadIdx.x] = total;
      total += count;
    }
  }
  std::uint32_t sum = total;
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t left = __shfl_up_sync(all_lanes, sum, step);
    if (lane_id() >= step) sum += left;
  }
  if (lane_id() == 31) memory.warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= digits) return;
  std::uint32_t first = sum - total;
  for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp) first += memory.warp_sums[warp];
  memory.first[threadIdx.x] = first;
  memory.target[threadIdx.x] = memory.next[threadIdx.x] - first;
  memory.next[threadIdx.x] += total;
}

/// Moves one tile of at most `tile` pairs; from and to: the begin of the tile and of the segment.
template <class Value>
__device__ void move_tile(MoveMemory<Value>& memory, const KeyCut& cut, std::uint32_t length, const std::uint32_t* keys,
                          const Value* values, std::uint32_t* to_keys, Value* to_values) {
  prefetch_values(values, length);
  std::uint32_t key[items], rank[items];
  const std::uint32_t first = threadIdx.x / 32 * 32 * items + lane_id(), last_digit = (1U << cut.bits) - 1;
#pragma unroll
  for (unsigned i = 0; i < items; ++i) key[i] = first + 32 * i < length ? keys[first + 32 * i] : 0;
  // Recomputed: registers are scarcer than arithmetic.
  const auto digit_of = [&](unsigned i) { return first + 32 * i < length ? cut.digit(key[i]) : last_digit; };
  for (unsigned i = lane_id(); i < digits; i += 32) memory.counts[threadIdx.x / 32][i] = 0;
  __syncwarp();
  rank_in_warp(digit_of, cut.bits, memory.counts[threadIdx.x / 32], rank);
  __syncthreads();
  sum_up(memory);
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < items; ++i) {
    rank[i] += memory.counts[threadIdx.x / 32][digit_of(i)] + memory.first[digit_of(i)];
    memory.keys[rank[i]] = key[i];
  }
  __syncthreads();
  std::uint32_t target[items];
#pragma unroll
  for (unsigned i = 0; i < items; ++i) {
    const std::uint32_t q = i * threads + threadIdx.x;
    if (q >= length) continue;
    target[i] = memory.target[cut.digit(memory.keys[q])] + q;
    to_keys[target[i]] = memory.keys[q];
  }
  __syncthreads();
  if constexpr (has_values<Value>) {
#pragma unroll
    for (unsigned i = 0; i < items; ++i) {
      if (first + 32 * i < length) memory.values[rank[i]] = values[first + 32 * i];
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < items; ++i) {
      const std::uint32_t q = i * threads + threadIdx.x;
      if (q < length) to_values[target[i]] = memory.values[q];
    }
    __syncthreads();
  }
}

template <class Value>
__global__ void __launch_bounds__(threads, 2)
    move_kernel(PartitionView view, PairArrays<Value> pairs, std::uint32_t* parts_keys, Value* parts_values) {
  extern __shared__ unsigned char raw_memory[];
  auto& memory = *reinterpret_cast<MoveMemory<Value>*>(raw_memory);
  const Chunk mine(view);
  const KeyCut cut = view.cut(mine.segment);
  const std::uint64_t segment_begin = view.segments[mine.segment].begin;
  std::uint32_t* to_keys = (cut.shift == 0 ? pairs.sorted_keys : parts_keys) + segment_begin;
  Value* to_values = (cut.shift == 0 ? pairs.sorted_values : parts_values) + segment_begin;
  for (std::uint32_t i = threadIdx.x; i < 1U << cut.bits; i += threads) {
    memory.next[i] = view.keys_before(mine.segment, i, mine.number);
  }
  __syncthreads();
  for (std::uint32_t begin = 0; begin < mine.length; begin += tile) {
    move_tile(memory, cut, min(tile, mine.length - begin), pairs.keys + mine.begin + begin,
              pairs.values + mine.begin + begin, to_keys, to_values);
  }
}

/// One thread per segment and digit adds the part to the lists.
__global__ void list_parts_kernel(PartitionView view, ListsView lists) {
  const std::uint64_t i = thread_index();
  const auto segment = static_cast<std::uint32_t>(i / digits), digit = static_cast<std::uint32_t>(i % digits);
  if (segment >= view.count) return;
  const KeyCut cut = view.cut(segment);
  if (cut.shift == 0 || digit >= 1U << cut.bits) return;
  const std::uint32_t begin = view.keys_before(segment, digit, 0);
  const std::uint32_t end =
      digit + 1 < 1U << cut.bits ? view.keys_before(segment, digit + 1, 0) : view.segments[segment].length;
  if (begin < end) lists.add(lists.class_of(end - begin), view.segments[segment].begin + begin, end - begin);
}

template <class... Parameters, class... Arguments>
void launch_chunks(std::string_view name, void (*kernel)(Parameters...), std::uint32_t chunks, std::size_t shared,
                   const Stream& stream, Arguments&&... arguments) {
  kernel<<<chunks, threads, shared, stream.handle()>>>(std::forward<Arguments>(arguments)...);
  check_launch(name, stream.handle());
}

}  // namespace

template <class Value>
void partition_segments(const PairArrays<Value>& pairs, std::uint32_t* parts_keys, Value* parts_values,
                        const LongSegment* segments, std::uint32_t count, bool fine, const ListsView& lists,
                        const Stream& stream) {
  if (count == 0) return;
  Buffer<std::uint32_t> lowest(count, stream), highest(count, stream), chunk_begin(std::uint64_t{count} + 1, stream);
  PartitionView view{segments, count,   lowest.data(), highest.data(), chunk_begin.data(),
                     nullptr,  nullptr, fine,          lists.tuning};
  launch("count_chunks_kernel", count_chunks_kernel, std::uint64_t{count} + 1, stream, view);
  exclusive_sum(chunk_begin, stream);
  const std::uint32_t chunks = chunk_begin.value_at(count);
  Buffer<std::uint32_t> chunk_segment(chunks, stream), counters(std::uint64_t{chunks} * digits, stream);
  view.chunk_segment = chunk_segment.data(), view.counters = counters.data();
  counters.fill_zero();
  launch("map_chunks_kernel", map_chunks_kernel, chunks, stream, view, chunks);
  launch_chunks("range_kernel", range_kernel, chunks, 0, stream, view, pairs.keys);
  launch_chunks("count_digits_kernel", count_digits_kernel, chunks, 0, stream, view, pairs.keys);
  exclusive_sum(counters, stream);
  constexpr std::size_t bytes = sizeof(MoveMemory<Value>);
  check(cudaFuncSetAttribute(move_kernel<Value>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
  launch_chunks("move_kernel", move_kernel<Value>, chunks, bytes, stream, view, pairs, parts_keys, parts_values);
  launch("list_parts_kernel", list_parts_kernel, std::uint64_t{count} * digits, stream, view, lists);
}

template void partition_segments(const PairArrays<NoValue>&, std::uint32_t*, NoValue*, const LongSegment*,
                                 std::uint32_t, bool, const ListsView&, const Stream&);
template void partition_segments(const PairArrays<std::uint32_t>&, std::uint32_t*, std::uint32_t*, const LongSegment*,
                                 std::uint32_t, bool, const ListsView&, const Stream&);
template void partition_segments(const PairArrays<std::uint64_t>&, std::uint32_t*, std::uint64_t*, const LongSegment*,
                                 std::uint32_t, bool, const ListsView&, const Stream&);

}  // namespace warpseed::sort::cuda
