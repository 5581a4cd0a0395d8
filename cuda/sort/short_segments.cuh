// Sorting of the listed segments that fit a warp's registers or a block's shared memory.
#pragma once

#include "core/lanes.cuh"
#include "sort/segment_lists.cuh"
#include "sort/unit_sort.cuh"

namespace warpseed::sort::cuda {

/// Sorts the segments of all classes below warp_classes, one warp each.
template <class Value>
void sort_by_warps(const PairArrays<Value>& pairs, const ClassCounts& counts, const ListsView& lists,
                   const Stream& stream);

/// Sorts `count` segments of a class from warp_classes on, one block each. Segments whose keys crowd in a small part of
/// their range go to the list of long segments instead.
template <class Value>
void sort_by_blocks(const PairArrays<Value>& pairs, int which, std::uint32_t count, const ListsView& lists,
                    const Stream& stream);

/// The block's threads prefetch values [0, count), which are gathered in random order later.
template <class Value>
__device__ inline void prefetch_values(const Value* values, std::uint32_t count) {
  if constexpr (has_values<Value>) {
    constexpr std::uint32_t line = 128 / sizeof(Value);
    for (std::uint32_t i = threadIdx.x * line; i < count; i += blockDim.x * line) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(values + i));
    }
  }
}

/// A warp writes a sorted unit of the segment at `segment_begin`; its first pair goes to `target`.
/// at_once: values in flight per thread, limited by registers.
template <int at_once, class Value>
__device__ inline void write_unit(const PairArrays<Value>& pairs, const SortUnit& unit, std::uint64_t segment_begin,
                                  std::uint64_t target) {
  for (std::uint32_t first = lane_id(); first < unit.count; first += 32 * at_once) {
    std::uint32_t index[at_once];
    Value value[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const std::uint32_t q = first + 32 * static_cast<std::uint32_t>(i);
      if (q >= unit.count) continue;
      index[i] = unit.order[q];
      if constexpr (has_values<Value>) value[i] = pairs.values[segment_begin + index[i]];
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const std::uint32_t q = first + 32 * static_cast<std::uint32_t>(i);
      if (q >= unit.count) continue;
      __stcs(pairs.sorted_keys + target + q, unit.keys[index[i]]);  // streaming store: leaves the cache to the values
      if constexpr (has_values<Value>) __stcs(pairs.sorted_values + target + q, value[i]);
    }
  }
}

}  // namespace warpseed::sort::cuda
