#include "sort/tiny_segments.cuh"

#include "core/launch.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint32_t tile_size = 2048;     // keys and segments that begin in a tile, together
constexpr std::uint32_t longest_tiny = 64;    // tiny segments may stand out of their tile by one less
constexpr unsigned blocks_per_processor = 8;  // full occupancy with threads_per_block

/// Segments [first, last) begin in a tile; there is at least one.
struct Tile {
  std::uint64_t first, last;
};

struct TilesView {
  Tile* tiles;           // [room]
  std::uint32_t* count;  // how many of them there are
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

/// One thread a tile; tiles in which no segment begins are left out.
__global__ void find_tiles_kernel(View<std::uint64_t> offsets, std::uint64_t room, TilesView tiles) {
  const std::uint64_t tile = thread_index();
  if (tile >= room) return;
  const std::uint64_t first = first_segment_from(offsets, tile * tile_size);
  const std::uint64_t last = first_segment_from(offsets, (tile + 1) * tile_size);
  if (first < last) tiles.tiles[atomicAdd(tiles.count, 1U)] = {first, last};
}

/// What a block keeps of its tile. Places are relative to the tile's first key.
struct TileMemory {
  std::uint32_t keys[tile_size + longest_tiny];
  std::uint32_t segment_of[tile_size + longest_tiny];  // of a key: its segment's begin | length << 16; 0: not tiny
  std::uint32_t span;                                  // places up to the end of the last tiny segment
  std::uint32_t counts[class_count];                   // longer segments of this tile, by class
  std::uint32_t slots[class_count];                    // the first slot reserved in the list of a class
};

/// Marks the keys of tiny segments and counts the longer ones.
__device__ void survey(TileMemory& memory, const Tile& tile, View<std::uint64_t> offsets, std::uint64_t base,
                       const ListsView& lists) {
  for (std::uint64_t s = tile.first + threadIdx.x; s < tile.last; s += blockDim.x) {
    const std::uint64_t begin = offsets[s], length = offsets[s + 1] - begin;
    if (length > lists.tuning.tiny_longest) {
      atomicAdd(&memory.counts[lists.class_of(length)], 1U);
    } else if (length > 0) {
      const auto from = static_cast<std::uint32_t>(begin - base), to = from + static_cast<std::uint32_t>(length);
      for (std::uint32_t at = from; at < to; ++at) {
        memory.segment_of[at] = from | static_cast<std::uint32_t>(length) << 16;
      }
      atomicMax(&memory.span, to);
    }
  }
}

/// Reserves room for the longer segments in the lists, a class a thread, and writes them there.
__device__ void list_longer(TileMemory& memory, const Tile& tile, View<std::uint64_t> offsets, const ListsView& lists) {
  if (threadIdx.x < class_count && memory.counts[threadIdx.x] > 0) {
    memory.slots[threadIdx.x] = atomicAdd(&lists.counts[threadIdx.x], memory.counts[threadIdx.x]);
  }
  __syncthreads();
  for (std::uint64_t s = tile.first + threadIdx.x; s < tile.last; s += blockDim.x) {
    const std::uint64_t begin = offsets[s], length = offsets[s + 1] - begin;
    if (length <= lists.tuning.tiny_longest) continue;
    const int which = lists.class_of(length);
    lists.put(which, atomicAdd(&memory.slots[which], 1U), begin, static_cast<std::uint32_t>(length));
  }
}

/// How many keys of its segment go before the key at this place.
__device__ std::uint32_t rank_of(const TileMemory& memory, std::uint32_t place) {
  const std::uint32_t begin = memory.segment_of[place] & 0xFFFF, end = begin + (memory.segment_of[place] >> 16);
  const std::uint64_t mine = std::uint64_t{memory.keys[place]} << 32 | place;  // of equal keys the first goes before
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
    if (threadIdx.x < class_count) memory.counts[threadIdx.x] = 0;
    if (threadIdx.x == 0) memory.span = 0;
    __syncthreads();
    survey(memory, tile, offsets, base, lists);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < memory.span; i += blockDim.x) {
      if (memory.segment_of[i] != 0) memory.keys[i] = pairs.keys[base + i];
    }
    list_longer(memory, tile, offsets, lists);  // all wait in it
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
  launch("find_tiles_kernel", find_tiles_kernel, room, stream, offsets, room, view);
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

}  // namespace warpseed::cuda
