// A warp sorts the indices of up to 1024 keys in shared memory, stable, as 32-bit numbers.
//
// Each number combines a key with its index: numbers differ, and equal keys keep their order. If not all of the key's
// bits fit, the upper ones are sorted first. This suffices unless keys agree in all of them. Such ties are detected and
// fixed afterwards: few of them by insertion sort, else by two more sorts (lower bits, then upper bits).
#pragma once

#include <cstdint>

#include "sort/segmented_sort_core.hpp"
#include "sort/warp_sort.cuh"

namespace warpseed::sort::cuda {

/// The input of a warp's sort: `count` indices of `keys`, which are within [lowest, lowest + 2^range_bits).
struct SortUnit {
  const std::uint32_t* keys;  // by index
  std::uint16_t* order;       // [count], 4-byte aligned: the indices; sorted by key afterwards
  std::uint32_t count;
  std::uint32_t lowest;
  unsigned range_bits;
  unsigned index_bits;  // of the largest index; at most 16

  __device__ std::uint32_t index_mask() const { return (1U << index_bits) - 1; }
  /// The number of low key bits that do not fit next to an index.
  __device__ unsigned cut_bits() const {
    const unsigned room = 32 - index_bits;
    return range_bits > room ? range_bits - room : 0;
  }
  __device__ std::uint32_t upper_bits(std::uint32_t index) const { return (keys[index] - lowest) >> cut_bits(); }
};

/// Numbers to sort, then written to shared memory: after a sort thread t has those of [t * items, (t + 1) * items).
template <int items>
struct UnitNumbers {
  std::uint32_t numbers[items];

  /// number_at(q) for q below count; padding compares larger than or equal to all.
  template <class NumberAt>
  __device__ void load(std::uint32_t count, NumberAt number_at) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::uint32_t q = static_cast<std::uint32_t>(i) * 32 + lane_id();
      numbers[i] = q < count ? number_at(q) : 0xFFFFFFFFU;
    }
  }

  __device__ void store_indices(const SortUnit& unit) const {
    const std::uint32_t mask = unit.index_mask();
    auto* pairs = reinterpret_cast<std::uint32_t*>(unit.order);
#pragma unroll
    for (int i = 0; i < items; i += 2) {
      const std::uint32_t q = lane_id() * items + static_cast<std::uint32_t>(i);
      if (q + 1 < unit.count) {
        pairs[q / 2] = (numbers[i] & mask) | (numbers[i + 1] & mask) << 16;
      } else if (q < unit.count) {
        unit.order[q] = static_cast<std::uint16_t>(numbers[i] & mask);
      }
    }
  }

  /// Whether two consecutive numbers differ in their index bits only.
  __device__ bool has_ties(const SortUnit& unit) const {
    const std::uint32_t next_lanes = __shfl_down_sync(all_lanes, numbers[0], 1);
    bool tied = false;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::uint32_t next = i + 1 < items ? numbers[(i + 1) % items] : next_lanes;
      const std::uint32_t q = lane_id() * items + static_cast<std::uint32_t>(i);
      tied |= (numbers[i] ^ next) >> unit.index_bits == 0 && q + 1 < unit.count;
    }
    return __any_sync(all_lanes, tied);
  }
};

/// Length of the run of keys from q on with the same upper bits, if q is its first key; counted up to `most`.
__device__ inline std::uint32_t run_length(const SortUnit& unit, std::uint32_t q, std::uint32_t most) {
  const std::uint32_t upper = unit.upper_bits(unit.order[q]);
  if (q > 0 && unit.upper_bits(unit.order[q - 1]) == upper) return 0;
  std::uint32_t length = 1;
  while (length < most && q + length < unit.count && unit.upper_bits(unit.order[q + length]) == upper) ++length;
  return length;
}

/// Insertion sort of a few indices by their full keys; stable.
__device__ inline void sort_run(const SortUnit& unit, std::uint32_t begin, std::uint32_t length) {
  for (std::uint32_t i = begin + 1; i < begin + length; ++i) {
    const std::uint16_t index = unit.order[i];
    std::uint32_t at = i;
    for (; at > begin && unit.keys[unit.order[at - 1]] > unit.keys[index]; --at) unit.order[at] = unit.order[at - 1];
    unit.order[at] = index;
  }
}

/// Sorts runs of keys that the upper bits do not distinguish. False if a run is too long; the order is then some
/// permutation of the indices.
__device__ inline bool resolve_ties(const SortUnit& unit) {
  constexpr std::uint32_t longest = 8;  // one thread sorts a run; the warp is faster on longer ones
  bool wrong = false;
  for (std::uint32_t q = lane_id(); q + 1 < unit.count; q += 32) {
    wrong |= unit.keys[unit.order[q]] > unit.keys[unit.order[q + 1]];
  }
  if (!__any_sync(all_lanes, wrong)) return true;
  bool too_long = false;
  for (std::uint32_t first = 0; first < unit.count; first += 32) {
    const std::uint32_t q = first + lane_id();
    const std::uint32_t length = q < unit.count ? run_length(unit, q, longest + 1) : 0;
    too_long |= length > longest;
    __syncwarp();  // all have compared with their neighbours
    if (length > 1 && length <= longest) sort_run(unit, q, length);
    __syncwarp();
  }
  return !__any_sync(all_lanes, too_long);
}

/// Sorts up to 32 * items indices. index_at(q): the input indices, for q in [0, count). All lanes take part.
template <int items, class IndexAt>
__device__ void warp_sort_unit(const SortUnit& unit, IndexAt index_at) {
  const unsigned room = 32 - unit.index_bits;
  UnitNumbers<items> numbers;
  numbers.load(unit.count, [&](std::uint32_t q) {
    const std::uint32_t index = index_at(q);
    return unit.upper_bits(index) << unit.index_bits | index;
  });
#pragma unroll 1
  for (int pass = 0;; ++pass) {  // one copy of the sort's code for all passes: the second and third are rare
    warp_sort(numbers.numbers);
    if (pass == 2) {  // numbers hold positions in the order of the second pass
#pragma unroll
      for (int i = 0; i < items; ++i) {
        const std::uint32_t q = numbers.numbers[i] & unit.index_mask();
        if (q < unit.count) numbers.numbers[i] = unit.order[q];
      }
    }
    const bool tied = pass == 0 && unit.cut_bits() > 0 && numbers.has_ties(unit);
    __syncwarp();
    numbers.store_indices(unit);
    __syncwarp();
    if (pass == 2 || (pass == 0 && (!tied || resolve_ties(unit)))) return;
    numbers.load(unit.count, [&](std::uint32_t q) {
      const std::uint32_t index = unit.order[q], key = unit.keys[index] - unit.lowest;
      const std::uint32_t lower = room == 32 ? key : key & ((1U << room) - 1);
      return pass == 0 ? lower << unit.index_bits | index : (key >> room) << unit.index_bits | q;
    });
    __syncwarp();
  }
}

}  // namespace warpseed::sort::cuda
