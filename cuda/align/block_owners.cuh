// Finds the owner of each item, where every owner has a range of consecutive items.
#pragma once

#include <cstdint>

#include "core/launch.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

constexpr std::uint64_t items_per_block = 2048;  // enough that the search at a block's start does not matter

/// The owners of items [from, to), for all threads of a block. The block searches the first and the last owner once.
/// begin(k): the first item of owner k; an owner without items begins where the next one does.
template <class Begin>
class BlockOwners {
 public:
  /// ends: [2] in shared memory.
  __device__ BlockOwners(std::uint64_t* ends, std::uint64_t owners, std::uint64_t from, std::uint64_t to, Begin begin)
      : ends_(ends), begin_(begin) {
    if (threadIdx.x < 2) ends[threadIdx.x] = text::last_not_above(owners, threadIdx.x == 0 ? from : to - 1, begin);
    __syncthreads();
  }

  __device__ std::uint64_t of(std::uint64_t item) const {
    const std::uint64_t first = ends_[0];
    return first + text::last_not_above(ends_[1] - first + 1, item, [&](std::uint64_t k) { return begin_(first + k); });
  }

 private:
  const std::uint64_t* ends_;
  Begin begin_;
};

/// A block's part of [0, count).
struct BlockPart {
  std::uint64_t begin, end;
};
__device__ inline BlockPart part_of_block(std::uint64_t count) {
  const std::uint64_t begin = items_per_block * blockIdx.x;
  return {begin, begin + items_per_block < count ? begin + items_per_block : count};
}

/// Threads for launch().
inline std::uint64_t threads_for_items(std::uint64_t count) {
  return (count + items_per_block - 1) / items_per_block * threads_per_block;
}

}  // namespace warpseed::align::cuda
