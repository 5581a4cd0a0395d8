// The constants of the segmented sort on a device.
#pragma once

#include <cstdint>

namespace warpseed::sort::cuda {

/// What is done for which length, and how; the defaults are the fastest on an H200 (share/bench/tune_segmented_sort).
struct SegmentedSortTuning {
  std::uint32_t tiny_longest = 32;      // 1..64: each key counts the smaller ones in its segment
  std::uint32_t warp_longest = 768;     // up to 768: a warp sorts in its registers; from here on a block
  std::uint32_t block_longest = 32768;  // up to 32768: in shared memory; beyond in parts, by a digit of the key
  std::uint32_t bucket_length = 384;    // a block cuts its segment into parts of about this many for its warps
  std::uint32_t part_length = 4096;     // a longer segment is cut into parts of about this many for blocks
  std::uint32_t block_threads[5] = {128, 256, 512, 1024, 1024};  // for segments up to 2048, 4096, ... 32768: more,
  // and hence fewer segments at a time, keep the values that are read in disorder within the cache
};

}  // namespace warpseed::sort::cuda
