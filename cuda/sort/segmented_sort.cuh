// The segmented sort of data that is on the device already.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/segmented_sort_core.hpp"

namespace warpseed::cuda {

/// Where keys and values come from and go to. The four must not overlap; values may be null if Value is NoValue.
template <class Value>
struct PairArrays {
  const std::uint32_t* keys = nullptr;
  const Value* values = nullptr;
  std::uint32_t* sorted_keys = nullptr;
  Value* sorted_values = nullptr;
};

/// What is done for which length, and how; the defaults are the fastest on an H200 (share/bench/tune_segmented_sort).
struct SegmentedSortTuning {
  std::uint32_t tiny_longest = 32;      // 1..64: each key counts the smaller ones in its segment
  std::uint32_t warp_longest = 1024;    // up to 1024: a warp sorts in its registers; from here on a block
  std::uint32_t block_longest = 32768;  // up to 32768: in shared memory; beyond in parts, by a digit of the key
  std::uint32_t bucket_length = 384;    // a block cuts its segment into parts of about this many for its warps
  std::uint32_t part_length = 8192;     // a longer segment is cut into parts of about this many for blocks
  std::uint32_t block_threads[5] = {128, 256, 512, 512, 1024};  // for segments up to 2048, 4096, ... 32768
};

/// Sorts every segment by itself, stable (src/sort/segmented_sort.hpp), out of place: measured faster than in place,
/// as values are then moved once, straight to where they belong.
///
/// offsets: [segments + 1] on the device, ascending, the last one at most `count`; keys outside all segments are not
///          touched and not copied. Segments have at most 2^32 - 1 keys.
/// count:   keys in `pairs`.
/// Memory:  0.8 bytes a key for lists of segments; a copy of keys and values and 0.1 bytes a key while any
///          segment is longer than block_longest, or has its keys crowded in a small part of their range.
/// Waits for the stream once or more (how many segments there are of which length).
template <class Value>
void segmented_sort(const PairArrays<Value>& pairs, View<std::uint64_t> offsets, std::uint64_t count,
                    const Stream& stream, const SegmentedSortTuning& tuning = {});

extern template void segmented_sort(const PairArrays<NoValue>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);
extern template void segmented_sort(const PairArrays<std::uint32_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);
extern template void segmented_sort(const PairArrays<std::uint64_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);

}  // namespace warpseed::cuda
