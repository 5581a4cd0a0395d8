#include "suffix/merge_path.cuh"

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "suffix/merge_path_core.hpp"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned merge_threads = 256;
constexpr unsigned thread_suffixes = 15;  // odd: neighbouring threads begin in different banks
constexpr unsigned warp_rounds = 32;      // tiles are whole words of head bits
constexpr unsigned tile_suffixes = merge_threads * thread_suffixes;
static_assert(tile_suffixes % warp_rounds == 0 && tile_suffixes % merge_threads == 0);

/// One thread per tile finds its begin, one more the end of all.
__global__ void split_kernel(SuffixList first, SuffixList second, std::uint64_t tiles, std::uint64_t* splits) {
  const std::uint64_t tile = thread_index();
  if (tile > tiles) return;
  const std::uint64_t all = first.size + second.size;
  const std::uint64_t diagonal = tile * tile_suffixes < all ? tile * tile_suffixes : all;
  splits[tile] = merge_path(
      diagonal, first.size, second.size, [&](std::uint64_t i) { return first.key(i); },
      [&](std::uint64_t i) { return second.key(i); });
}

/// Output of the merge. Null: not wanted.
struct MergeTarget {
  std::uint64_t* keys = nullptr;
  std::uint32_t* positions = nullptr;
  std::uint32_t* heads = nullptr;
  std::uint64_t head_words = 0;
  std::uint64_t tie_bit = 0;
};

/// The part of each list that a tile merges.
struct TilePart {
  std::uint64_t first_begin, second_begin;
  unsigned first_count, count;
};

/// Thread t fills sources[15t, 15t + 15) with indices of `keys` (first list's part, then the second's) in merged order.
__device__ void merge_in_tile(const std::uint64_t* keys, const TilePart& part, std::uint16_t* sources) {
  const unsigned begin = min(threadIdx.x * thread_suffixes, part.count);
  const unsigned second_count = part.count - part.first_count;
  unsigned i = static_cast<unsigned>(merge_path(
      begin, part.first_count, second_count, [&](std::uint64_t at) { return keys[at]; },
      [&](std::uint64_t at) { return keys[part.first_count + at]; }));
  unsigned j = part.first_count + begin - i;
  for (unsigned k = 0; k < thread_suffixes; ++k) {
    if (begin + k >= part.count) return;
    const bool take_first = j >= part.count || (i < part.first_count && keys[i] <= keys[j]);
    sources[begin + k] = static_cast<std::uint16_t>(take_first ? i++ : j++);
  }
}

/// The key merged just before a tile. The tile must not be the first.
__device__ std::uint64_t key_before(const SuffixList& first, const SuffixList& second, const TilePart& part) {
  const std::uint64_t a = part.first_begin > 0 ? first.key(part.first_begin - 1) : 0;
  const std::uint64_t b = part.second_begin > 0 ? second.key(part.second_begin - 1) : 0;
  return a < b ? b : a;
}

/// One block per tile.
__global__ void __launch_bounds__(merge_threads)
    merge_kernel(SuffixList first, SuffixList second, const std::uint64_t* splits, MergeTarget target) {
  __shared__ std::uint64_t keys[tile_suffixes];
  __shared__ std::uint16_t sources[tile_suffixes];
  const std::uint64_t all = first.size + second.size, begin = std::uint64_t{blockIdx.x} * tile_suffixes;
  const std::uint64_t end = begin + tile_suffixes < all ? begin + tile_suffixes : all;
  TilePart part;
  part.first_begin = splits[blockIdx.x];
  part.second_begin = begin - part.first_begin;
  part.first_count = static_cast<unsigned>(splits[blockIdx.x + 1] - part.first_begin);
  part.count = static_cast<unsigned>(end - begin);
  for (unsigned i = threadIdx.x; i < part.count; i += merge_threads) {
    keys[i] =
        i < part.first_count ? first.key(part.first_begin + i) : second.key(part.second_begin + i - part.first_count);
  }
  __syncthreads();
  merge_in_tile(keys, part, sources);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile_suffixes; i += merge_threads) {
    bool head = true;  // past the end
    if (i < part.count) {
      const unsigned source = sources[i];
      const std::uint64_t key = keys[source];
      target.positions[begin + i] = source < part.first_count
                                        ? first.position(part.first_begin + source)
                                        : second.position(part.second_begin + source - part.first_count);
      if (target.keys != nullptr) {
        target.keys[begin + i] = key;
      } else if (begin + i > 0) {
        const std::uint64_t before = i > 0 ? keys[sources[i - 1]] : key_before(first, second, part);
        head = key != before || (key & target.tie_bit) != target.tie_bit;
      }
    }
    if (target.heads != nullptr) {
      const std::uint32_t bits = __ballot_sync(all_lanes, head);
      const std::uint64_t word = (begin + i) / 32;
      if (i % 32 == 0 && word < target.head_words) target.heads[word] = bits;
    }
  }
}

void run_merge(const SuffixList& first, const SuffixList& second, const MergeTarget& target, const Stream& stream) {
  const std::uint64_t all = first.size + second.size, tiles = (all + tile_suffixes - 1) / tile_suffixes;
  if (tiles == 0) return;
  Buffer<std::uint64_t> splits(tiles + 1, stream);
  launch("split_kernel", split_kernel, tiles + 1, stream, first, second, tiles, splits.data());
  merge_kernel<<<static_cast<unsigned>(tiles), merge_threads, 0, stream.handle()>>>(first, second, splits.data(),
                                                                                    target);
  check_launch("merge_kernel", stream.handle());
}

}  // namespace

KeyedSuffixes merge(const SuffixList& first, const SuffixList& second, const Stream& stream) {
  KeyedSuffixes merged(first.size + second.size, stream);
  run_merge(first, second, {.keys = merged.keys.data(), .positions = merged.positions.data()}, stream);
  return merged;
}

void merge_into(const SuffixList& first, const SuffixList& second, std::uint64_t tie_bit, std::uint32_t* positions,
                std::uint32_t* heads, std::uint64_t head_words, const Stream& stream) {
  check(cudaMemsetAsync(heads, 0xFF, head_words * sizeof(*heads), stream.handle()), "marking heads");
  run_merge(first, second, {.positions = positions, .heads = heads, .head_words = head_words, .tie_bit = tie_bit},
            stream);
}

}  // namespace warpseed::suffix::cuda
