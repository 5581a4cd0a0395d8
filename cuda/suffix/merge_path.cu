#include "suffix/merge_path.cuh"

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/merge_path_core.hpp"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned merge_threads = 256;
constexpr unsigned thread_suffixes = 15;  // odd: neighbouring threads begin in different banks
constexpr unsigned warp_rounds = 32;      // tiles are whole words of bits
constexpr unsigned loads_at_once = 5;     // of a thread, to wait once for all of them
constexpr unsigned tile_suffixes = merge_threads * thread_suffixes;
static_assert(tile_suffixes % warp_rounds == 0 && tile_suffixes % merge_threads == 0);

/// Where tiles begin in the first list. Those of every coarse_tiles-th tile are found first; a search for another one
/// then reads what its neighbours have read.
constexpr std::uint64_t coarse_tiles = 64;

template <class First, class Second>
struct TileSplits {
  First first;
  Second second;
  std::uint64_t tiles;

  __device__ std::uint64_t diagonal(std::uint64_t tile) const {
    const std::uint64_t all = first.size + second.size;
    return tile * tile_suffixes < all ? tile * tile_suffixes : all;
  }

  /// Between two tiles whose splits are known.
  __device__ std::uint64_t find(std::uint64_t tile, std::uint64_t low_tile, std::uint64_t low, std::uint64_t high_tile,
                                std::uint64_t high) const {
    const std::uint64_t low_second = diagonal(low_tile) - low, high_second = diagonal(high_tile) - high;
    return low + merge_path(
                     diagonal(tile) - diagonal(low_tile), high - low, high_second - low_second,
                     [&](std::uint64_t i) { return first.key(static_cast<std::uint32_t>(low + i)); },
                     [&](std::uint64_t i) { return second.key(static_cast<std::uint32_t>(low_second + i)); });
  }
};

/// One thread per coarse tile and one for the end of all.
template <class First, class Second>
__global__ void coarse_splits_kernel(TileSplits<First, Second> search, std::uint64_t* splits) {
  const std::uint64_t tile =
      thread_index() * coarse_tiles < search.tiles ? thread_index() * coarse_tiles : search.tiles;
  if (thread_index() * coarse_tiles >= search.tiles + coarse_tiles) return;
  splits[tile] = search.find(tile, 0, 0, search.tiles, search.first.size);
}

/// One thread per tile.
template <class First, class Second>
__global__ void fine_splits_kernel(TileSplits<First, Second> search, std::uint64_t* splits) {
  const std::uint64_t tile = thread_index();
  if (tile >= search.tiles || tile % coarse_tiles == 0) return;
  const std::uint64_t low = tile / coarse_tiles * coarse_tiles;
  const std::uint64_t high = low + coarse_tiles < search.tiles ? low + coarse_tiles : search.tiles;
  splits[tile] = search.find(tile, low, splits[low], high, splits[high]);
}

/// The part of each list that a tile merges.
struct TilePart {
  std::uint64_t first_begin, second_begin;
  unsigned first_count, count;
};

/// Thread t fills sources[15t, 15t + 15) with indices of `keys` (first list's part, then the second's) in merged order.
__device__ void merge_in_tile(const std::uint64_t* keys, const TilePart& part, std::uint16_t* sources) {
  const unsigned begin = min(threadIdx.x * thread_suffixes, part.count);
  unsigned low = begin > part.count - part.first_count ? begin - (part.count - part.first_count) : 0;
  unsigned high = min(begin, part.first_count);
  while (low < high) {  // merge_path() with narrow indices
    const unsigned middle = (low + high) / 2;
    if (keys[middle] <= keys[part.first_count + begin - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  unsigned i = low, j = part.first_count + begin - low;
  std::uint64_t first = keys[i], second = keys[j];  // `keys` has room for one more
  for (unsigned k = 0; k < thread_suffixes; ++k) {
    if (begin + k >= part.count) return;
    const bool take_first = j >= part.count || (i < part.first_count && first <= second);
    sources[begin + k] = static_cast<std::uint16_t>(take_first ? i : j);
    const std::uint64_t next = keys[take_first ? ++i : ++j];
    (take_first ? first : second) = next;
  }
}

/// The key merged just before a tile. The tile must not be the first.
template <class First, class Second>
__device__ std::uint64_t key_before(const First& first, const Second& second, const TilePart& part) {
  const std::uint64_t a = part.first_begin > 0 ? first.key(static_cast<std::uint32_t>(part.first_begin - 1)) : 0;
  const std::uint64_t b = part.second_begin > 0 ? second.key(static_cast<std::uint32_t>(part.second_begin - 1)) : 0;
  return a < b ? b : a;
}

__device__ void store_bits(std::uint32_t* words, std::uint64_t word_count, std::uint64_t i, bool bit) {
  const std::uint32_t bits = __ballot_sync(all_lanes, bit);
  if (i % 32 == 0 && i / 32 < word_count) words[i / 32] = bits;
}

template <class First, class Second>
__device__ TilePart part_of(const First& first, const Second& second, const std::uint64_t* splits) {
  const std::uint64_t all = first.size + second.size, begin = std::uint64_t{blockIdx.x} * tile_suffixes;
  TilePart part;
  part.first_begin = splits[blockIdx.x];
  part.second_begin = begin - part.first_begin;
  part.first_count = static_cast<unsigned>(splits[blockIdx.x + 1] - part.first_begin);
  part.count = begin + tile_suffixes < all ? tile_suffixes : static_cast<unsigned>(all - begin);
  return part;
}

/// The lists in memory of both lists.
template <class First, class Second>
struct Tables {
  StoredList lists[First::stored_lists + Second::stored_lists];

  /// By one thread.
  __device__ void fill(const First& first, const Second& second) {
    first.store(lists);
    second.store(lists + First::stored_lists);
  }
};

/// Where suffix i of a tile's parts is stored: those of the first list come first.
template <class First, class Second>
__device__ StoredIndex stored_index_in(const First& first, const Second& second, const TilePart& part, unsigned i) {
  if (i < part.first_count) return first.stored_index(static_cast<std::uint32_t>(part.first_begin) + i);
  const StoredIndex found = second.stored_index(static_cast<std::uint32_t>(part.second_begin) + (i - part.first_count));
  return {found.index, First::stored_lists + found.list};
}

/// Calls visit(k) for the suffixes that a thread loads at once.
template <class Visit>
__device__ void for_loads(Visit visit) {
#pragma unroll
  for (unsigned k = 0; k < loads_at_once; ++k) visit(k);
}

/// Calls visit(at, stored) for a thread's next suffixes, as many as it loads at once: where they go in the tile, and where
/// they are. Past the end the last suffix is loaded again.
template <class First, class Second, class Visit>
__device__ void for_each_stored(const First& first, const Second& second, const TilePart& part, Visit visit) {
  static_assert(thread_suffixes % loads_at_once == 0);
  for (unsigned begin = threadIdx.x; begin < part.count; begin += loads_at_once * merge_threads) {
    unsigned at[loads_at_once];
    StoredIndex stored[loads_at_once];
    for_loads([&](unsigned k) { at[k] = min(begin + k * merge_threads, part.count - 1); });
    for_loads([&](unsigned k) { stored[k] = stored_index_in(first, second, part, at[k]); });
    visit(at, stored);
  }
}

/// One block per tile.
template <class First, class Second>
__global__ void __launch_bounds__(merge_threads)
    order_kernel(First first, Second second, const std::uint64_t* splits, std::uint32_t* from_second) {
  __shared__ std::uint64_t keys[tile_suffixes + 1];
  __shared__ std::uint16_t sources[tile_suffixes];
  __shared__ Tables<First, Second> tables;
  if (threadIdx.x == 0) tables.fill(first, second);
  __syncthreads();
  const TilePart part = part_of(first, second, splits);
  for_each_stored(first, second, part, [&](const unsigned* at, const StoredIndex* stored) {
    std::uint64_t loaded[loads_at_once];
    for_loads([&](unsigned k) { loaded[k] = tables.lists[stored[k].list].key(stored[k].index); });
    for_loads([&](unsigned k) { keys[at[k]] = loaded[k]; });
  });
  __syncthreads();
  merge_in_tile(keys, part, sources);
  __syncthreads();
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile_suffixes;
  for (unsigned i = threadIdx.x; i < tile_suffixes; i += merge_threads) {
    store_bits(from_second, (first.size + second.size) / 32 + 1, begin + i,
               i < part.count && sources[i] >= part.first_count);
  }
}

/// Output of a merge.
struct MergeTarget {
  std::uint32_t* positions;
  std::uint32_t* heads;
  std::uint64_t head_words;
  std::uint64_t tie_bit;
};

/// One block per tile.
template <class First, class Second>
__global__ void __launch_bounds__(merge_threads)
    merge_kernel(First first, Second second, const std::uint64_t* splits, MergeTarget target) {
  extern __shared__ std::uint64_t keys[];  // [tile_suffixes + 1]
  auto* const positions = reinterpret_cast<std::uint32_t*>(keys + tile_suffixes + 1);
  auto* const sources = reinterpret_cast<std::uint16_t*>(positions + tile_suffixes);
  __shared__ Tables<First, Second> tables;
  if (threadIdx.x == 0) tables.fill(first, second);
  __syncthreads();
  const TilePart part = part_of(first, second, splits);
  for_each_stored(first, second, part, [&](const unsigned* at, const StoredIndex* stored) {
    std::uint64_t loaded_keys[loads_at_once];
    std::uint32_t loaded_positions[loads_at_once];
    for_loads([&](unsigned k) {
      loaded_keys[k] = tables.lists[stored[k].list].key(stored[k].index);
      loaded_positions[k] = tables.lists[stored[k].list].position(stored[k].index);
    });
    for_loads([&](unsigned k) { keys[at[k]] = loaded_keys[k], positions[at[k]] = loaded_positions[k]; });
  });
  __syncthreads();
  merge_in_tile(keys, part, sources);
  __syncthreads();
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile_suffixes;
  for (unsigned i = threadIdx.x; i < tile_suffixes; i += merge_threads) {
    bool head = true;  // past the end
    if (i < part.count) {
      const unsigned source = sources[i];
      const std::uint64_t key = keys[source];
      target.positions[begin + i] = positions[source];
      if (begin + i > 0) {
        const std::uint64_t before = i > 0 ? keys[sources[i - 1]] : key_before(first, second, part);
        head = key != before || (key & target.tie_bit) != target.tie_bit;
      }
    }
    store_bits(target.heads, target.head_words, begin + i, head);
  }
}

/// Where the tiles of a merge begin in the first list, and at the end its size.
template <class First, class Second>
Buffer<std::uint64_t> find_splits(const First& first, const Second& second, const Stream& stream) {
  const std::uint64_t tiles = (first.size + second.size + tile_suffixes - 1) / tile_suffixes;
  Buffer<std::uint64_t> splits(tiles + 1, stream);
  const TileSplits<First, Second> search = {first, second, tiles};
  launch("coarse_splits_kernel", coarse_splits_kernel<First, Second>, tiles / coarse_tiles + 2, stream, search,
         splits.data());
  launch("fine_splits_kernel", fine_splits_kernel<First, Second>, tiles, stream, search, splits.data());
  return splits;
}

/// One thread per word, and one for what follows: suffixes of the second list in it.
__global__ void count_second_kernel(const std::uint32_t* from_second, std::uint64_t words, std::uint32_t* counts) {
  const std::uint64_t word = thread_index();
  if (word < words) counts[word] = static_cast<std::uint32_t>(__popc(from_second[word]));
}

}  // namespace

template <class First, class Second>
MergeOrder<First, Second>::MergeOrder(const First& first, const Second& second, const Stream& stream)
    : first_(first),
      second_(second),
      from_second_((first.size + second.size) / 32 + 1, stream),
      second_before_(from_second_.size(), stream) {
  if (first.size + second.size == 0) return;
  const Buffer<std::uint64_t> splits = find_splits(first, second, stream);
  order_kernel<First, Second><<<static_cast<unsigned>(splits.size() - 1), merge_threads, 0, stream.handle()>>>(
      first, second, splits.data(), from_second_.data());
  check_launch("order_kernel", stream.handle());
  launch("count_second_kernel", count_second_kernel, from_second_.size(), stream, from_second_.data(),
         from_second_.size(), second_before_.data());
  exclusive_sum(second_before_, stream);
}

template <class First, class Second>
void merge_into(const First& first, const Second& second, std::uint64_t tie_bit, std::uint32_t* positions,
                std::uint32_t* heads, std::uint64_t head_words, const Stream& stream) {
  check(cudaMemsetAsync(heads, 0xFF, head_words * sizeof(*heads), stream.handle()), "marking heads");
  if (first.size + second.size == 0) return;
  const Buffer<std::uint64_t> splits = find_splits(first, second, stream);
  constexpr int shared_bytes = sizeof(std::uint64_t) * (tile_suffixes + 1) + (4 + 2) * tile_suffixes;
  check(cudaFuncSetAttribute(merge_kernel<First, Second>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "asking for shared memory");
  merge_kernel<First, Second>
      <<<static_cast<unsigned>(splits.size() - 1), merge_threads, shared_bytes, stream.handle()>>>(
          first, second, splits.data(), MergeTarget{positions, heads, head_words, tie_bit});
  check_launch("merge_kernel", stream.handle());
}

template class MergeOrder<SuffixList, SuffixList>;
template class MergeOrder<TwoLists, SuffixList>;
template void merge_into(const SuffixList&, const SuffixList&, std::uint64_t, std::uint32_t*, std::uint32_t*,
                         std::uint64_t, const Stream&);
template void merge_into(const ThreeLists&, const TwoLists&, std::uint64_t, std::uint32_t*, std::uint32_t*,
                         std::uint64_t, const Stream&);

}  // namespace warpseed::suffix::cuda
