#include "sort/tiny_segments.cuh"

#include "core/lanes.cuh"
#include "core/launch.cuh"

namespace warpseed::sort::cuda {

namespace {

constexpr std::uint32_t tile_size = 2048;   // keys and segments that begin in a tile, together
constexpr std::uint32_t longest_tiny = 64;  // tiny segments may extend past their tile by one less
constexpr std::uint32_t max_sparse_segments =
    32;                                       // segments of a tile that does not need a block: one per lane of a warp
constexpr unsigned blocks_per_processor = 8;  // full occupancy with threads_per_block

/// Segments [first, last) begin in a tile.
struct Tile {
  std::uint64_t first, last;

  __device__ std::uint64_t segments() const { return last - first; }
  __device__ bool is_dense() const { return segments() > max_sparse_segments; }
};

struct TilesView {
  Tile* tiles;           // [room]
  std::uint32_t* count;  // number of tiles in the list
};

/// The first segment s with offsets[s] + s >= wanted, or the number of segments.
__device__ std::uint64_t first_segment_from(View<std::uint64_t> offsets, std::uint64_t wanted) {
  std::uint64_t begin = 0, end = offsets.size - 1;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (offsets[middle] + middle < wanted) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Counts what a block adds to the lists, so that it reserves room only once per list.
struct Reservation {
  std::uint32_t counts[class_count + 1];  // by class; the last: dense tiles
  std::uint32_t slots[class_count + 1];   // the next free one in each list

  __device__ void clear() {
    if (threadIdx.x <= class_count) counts[threadIdx.x] = 0;
  }
  /// Called by all threads, after a barrier that follows the last count.
  __device__ void take(const ListsView& lists, std::uint32_t* tile_count) {
    if (threadIdx.x <= class_count && counts[threadIdx.x] > 0) {
      std::uint32_t* total = threadIdx.x < class_count ? &lists.counts[threadIdx.x] : tile_count;
      slots[threadIdx.x] = atomicAdd(total, counts[threadIdx.x]);
    }
    __syncthreads();
  }
};

/// A warp visits the segments of its lanes' sparse tiles: visit(class, begin, length) for all but empty segments.
template <class Visit>
__device__ void visit_sparse(const Tile& tile, View<std::uint64_t> offsets, const ListsView& lists, Visit visit) {
  const std::uint32_t mine = tile.is_dense() ? 0 : static_cast<std::uint32_t>(tile.segments());
#pragma unroll 4
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t first = __shfl_sync(all_lanes, tile.first, lane);
    const std::uint32_t count = __shfl_sync(all_lanes, mine, lane), i = lane_id();
    if (i >= count) continue;
    const std::uint64_t begin = offsets[first + i], length = offsets[first + i + 1] - begin;
    if (length > 0) visit(lists.class_of(length), begin, static_cast<std::uint32_t>(length));
  }
}

/// One thread per tile: dense tiles are listed, the segments of sparse ones go directly to the lists.
__global__ void __launch_bounds__(threads_per_block)
    find_tiles_kernel(View<std::uint64_t> offsets, std::uint64_t room, TilesView tiles, ListsView lists) {
  __shared__ Reservation reserved;
  reserved.clear();
  const std::uint64_t number = thread_index();
  Tile tile{0, 0};
  if (number < room) {
    tile.first = first_segment_from(offsets, number * tile_size);
    tile.last = first_segment_from(offsets, (number + 1) * tile_size);
  }
  __syncthreads();
  if (tile.is_dense()) atomicAdd(&reserved.counts[class_count], 1U);
  visit_sparse(tile, offsets, lists,
               [&](int which, std::uint64_t, std::uint32_t) { atomicAdd(&reserved.counts[which], 1U); });
  __syncthreads();
  reserved.take(lists, tiles.count);
  if (tile.is_dense()) tiles.tiles[atomicAdd(&reserved.slots[class_count], 1U)] = tile;
  visit_sparse(tile, offsets, lists, [&](int which, std::uint64_t begin, std::uint32_t length) {
    lists.put(which, atomicAdd(&reserved.slots[which], 1U), begin, length);
  });
}

/// Shared memory of a tile. Positions are relative to the tile's first key.
struct TileMemory {
  std::uint32_t keys[tile_size + longest_tiny];
  std::uint32_t segment_of[tile_size + longest_tiny];  // of a key: its segment's begin | length << 16; 0: not tiny
  std::uint32_t span;                                  // positions up to the end of the last tiny segment
  Reservation longer;                                  // for the tile's longer segments
};

/// Marks the keys of tiny segments and counts the longer ones.
__device__ void survey(TileMemory& memory, const Tile& tile, View<std::uint64_t> offsets, std::uint64_t base,
                       const ListsView& lists) {
  for (std::uint64_t s = tile.first + threadIdx.x; s < tile.last; s += blockDim.x) {
    const std::uint64_t begin = offsets[s], length = offsets[s + 1] - begin;
    if (length > lists.tuning.tiny_longest) {
      atomicAdd(&memory.longer.counts[lists.class_of(length)], 1U);
    } else if (length > 0) {
      const auto from = static_cast<std::uint32_t>(begin - base), to = from + static_cast<std::uint32_t>(length);
      for (std::uint32_t at = from; at < to; ++at) {
        memory.segment_of[at] = from | static_cast<std::uint32_t>(length) << 16;
      }
      atomicMax(&memory.span, to);
    }
  }
}

/// Writes the longer segments to the lists.
__device__ void list_longer(TileMemory& memory, const Tile& tile, View<std::uint64_t> offsets, const ListsView& lists) {
  memory.longer.take(lists, nullptr);
  for (std::uint64_t s = tile.first + threadIdx.x; s < tile.last; s += blockDim.x) {
    const std::uint64_t begin = offsets[s], length = offsets[s + 1] - begin;
    if (length <= lists.tuning.tiny_longest) continue;
    const int which = lists.class_of(length);
    lists.put(which, atomicAdd(&memory.longer.slots[which], 1U), begin, static_cast<std::uint32_t>(length));
  }
}

/// Rank of the key at this position in its segment.
__device__ std::uint32_t rank_of(const TileMemory& memory, std::uint32_t position) {
  const std::uint32_t begin = memory.segment_of[position] & 0xFFFF, end = begin + (memory.segment_of[position] >> 16);
  const std::uint64_t mine = std::uint64_t{memory.keys[position]} << 32 | position;  // the position breaks ties
  std::uint32_t rank = 0;
#pragma unroll 4
  for (std::uint32_t i = begin; i < end; ++i) rank += (std::uint64_t{memory.keys[i]} << 32 | i) < mine;
  return rank;
}

template <class Value>
__global__ void __launch_bounds__(threads_per_block)
    tiny_segments_kernel(PairArrays<Value> pairs, View<std::uint64_t> offsets, TilesView tiles, ListsView lists) {
  __shared__ TileMemory memory;
  const std::uint32_t tile_count = *tiles.count;
  for (std::uint32_t number = blockIdx.x; number < tile_count; number += gridDim.x) {
    const Tile tile = tiles.tiles[number];
    const std::uint64_t base = offsets[tile.first];
    for (std::uint32_t i = threadIdx.x; i < tile_size + longest_tiny; i += blockDim.x) memory.segment_of[i] = 0;
    memory.longer.clear();
    if (threadIdx.x == 0) memory.span = 0;
    __syncthreads();
    survey(memory, tile, offsets, base, lists);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < memory.span; i += blockDim.x) {
      if (memory.segment_of[i] != 0) memory.keys[i] = pairs.keys[base + i];
    }
    list_longer(memory, tile, offsets, lists);  // contains a barrier
    for (std::uint32_t i = threadIdx.x; i < memory.span; i += blockDim.x) {
      if (memory.segment_of[i] == 0) continue;
      Value value;
      if constexpr (has_values<Value>) value = pairs.values[base + i];
      const std::uint64_t target = base + (memory.segment_of[i] & 0xFFFF) + rank_of(memory, i);
      pairs.sorted_keys[target] = memory.keys[i];
      if constexpr (has_values<Value>) pairs.sorted_values[target] = value;
    }
    __syncthreads();
  }
}

unsigned processors(int device) {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "counting a device's processors");
  return static_cast<unsigned>(count);
}

}  // namespace

template <class Value>
void sort_tiny_segments(const PairArrays<Value>& pairs, View<std::uint64_t> offsets, std::uint64_t count,
                        const ListsView& lists, const Stream& stream) {
  const std::uint64_t room = (count + offsets.size - 1) / tile_size + 1;
  Buffer<Tile> tiles(room, stream);
  Buffer<std::uint32_t> tile_count(1, stream);
  tile_count.fill_zero();
  const TilesView view{tiles.data(), tile_count.data()};
  launch("find_tiles_kernel", find_tiles_kernel, room, stream, offsets, room, view, lists);
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>(room, std::uint64_t{processors(stream.device())} * blocks_per_processor));
  tiny_segments_kernel<Value><<<blocks, threads_per_block, 0, stream.handle()>>>(pairs, offsets, view, lists);
  check_launch("tiny_segments_kernel", stream.handle());
}

template void sort_tiny_segments(const PairArrays<NoValue>&, View<std::uint64_t>, std::uint64_t, const ListsView&,
                                 const Stream&);
template void sort_tiny_segments(const PairArrays<std::uint32_t>&, View<std::uint64_t>, std::uint64_t, const ListsView&,
                                 const Stream&);
template void sort_tiny_segments(const PairArrays<std::uint64_t>&, View<std::uint64_t>, std::uint64_t, const ListsView&,
                                 const Stream&);

}  // namespace warpseed::sort::cuda
