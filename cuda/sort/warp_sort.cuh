// A warp sorts numbers in registers with a sorting network: first within threads, then between them.
//
// Batcher, "Sorting networks and their applications", AFIPS 1968: merge exchange sorts within a thread, bitonic merges
// join the runs of 1, 2, ... 16 lanes.
#pragma once

#include <cstdint>
#include <utility>

#include "core/lanes.cuh"

namespace warpseed::sort::cuda {

/// Orders the two: afterwards low <= high.
__device__ inline void exchange(std::uint32_t& low, std::uint32_t& high) {
  const std::uint32_t smaller = min(low, high);
  high = max(low, high), low = smaller;
}

/// The comparators of the network that sorts `count` numbers, in order.
template <int count>
struct MergeExchange {
  struct Pair {
    int low, high;
  };

  /// Calls visit(low, high) for each comparator.
  template <class Visit>
  static constexpr void for_each(Visit visit) {
    for (int run = 1; run < count; run *= 2) {
      for (int step = run; step >= 1; step /= 2) {
        for (int start = step % run; start + step < count; start += 2 * step) {
          for (int i = start; i < start + step && i + step < count; ++i) {
            if (i / (2 * run) == (i + step) / (2 * run)) visit(i, i + step);
          }
        }
      }
    }
  }

  static constexpr int size() {
    int pairs = 0;
    for_each([&](int, int) { ++pairs; });
    return pairs;
  }

  struct Table {
    Pair pairs[size() > 0 ? size() : 1] = {};
  };
  static constexpr Table make_table() {
    Table table;
    int at = 0;
    for_each([&](int low, int high) { table.pairs[at++] = {low, high}; });
    return table;
  }
  static constexpr Table table = make_table();
};

template <int count, int... i>
__device__ inline void thread_sort(std::uint32_t (&items)[count], std::integer_sequence<int, i...>) {
  (exchange(items[MergeExchange<count>::table.pairs[i].low], items[MergeExchange<count>::table.pairs[i].high]), ...);
}

/// Sorts the bitonic sequence items[from, from + length).
template <int length, int from, int count>
__device__ inline void thread_bitonic_merge(std::uint32_t (&items)[count]) {
  if constexpr (length % 2 == 0) {
#pragma unroll
    for (int i = 0; i < length / 2; ++i) exchange(items[from + i], items[from + length / 2 + i]);
    thread_bitonic_merge<length / 2, from>(items);
    thread_bitonic_merge<length / 2, from + length / 2>(items);
  } else if constexpr (length == 3) {
    exchange(items[from], items[from + 2]);
    exchange(items[from], items[from + 1]);
    exchange(items[from + 1], items[from + 2]);
  } else {
    static_assert(length == 1, "a thread holds a power of two numbers, or three times one");
  }
}

/// One comparison and one selection; minimum, maximum and selection would be three instructions.
__device__ inline std::uint32_t smaller_or_larger(std::uint32_t mine, std::uint32_t other, bool larger) {
  return (other < mine) != larger ? other : mine;
}

/// Sorts 32 * count numbers: thread t gets those of [t * count, (t + 1) * count), in order. The input order does not
/// matter.
template <int count>
__device__ inline void warp_sort(std::uint32_t (&items)[count]) {
  thread_sort(items, std::make_integer_sequence<int, MergeExchange<count>::size()>{});
#pragma unroll 1
  for (unsigned run = 1; run < 32;
       run *= 2) {  // runs of this many lanes are sorted; a run's first item meets the next run's last
    const bool later = lane_id() & run;
#pragma unroll
    for (int i = 0; i < (count + 1) / 2; ++i) {
      const int mirror = count - 1 - i;
      const std::uint32_t others = __shfl_xor_sync(all_lanes, items[mirror], 2 * run - 1);
      const std::uint32_t mirrors = __shfl_xor_sync(all_lanes, items[i], 2 * run - 1);
      items[i] = smaller_or_larger(items[i], others, later);
      if (mirror != i) items[mirror] = smaller_or_larger(items[mirror], mirrors, later);
    }
#pragma unroll 1
    for (unsigned stride = run / 2; stride >= 1; stride /= 2) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const std::uint32_t other = __shfl_xor_sync(all_lanes, items[i], stride);
        items[i] = smaller_or_larger(items[i], other, lane_id() & stride);
      }
    }
    thread_bitonic_merge<count, 0>(items);
  }
}

}  // namespace warpseed::sort::cuda
