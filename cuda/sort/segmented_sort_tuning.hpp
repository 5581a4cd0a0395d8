// The constants of the segmented sort on a device.
#pragma once

#include <cstdint>

namespace warpseed::sort::cuda {

/// Which method sorts which length; the defaults are the fastest on an H200 (share/bench/tune_segmented_sort).
struct SegmentedSortTuning {
  std::uint32_t tiny_longest = 32;      // 1..64: each key counts the smaller ones in its segment
  std::uint32_t warp_longest = 768;     // up to 768: a warp sorts in registers; longer segments take a block
  std::uint32_t block_longest = 32768;  // up to 32768: in shared memory; longer segments are partitioned by a digit
  std::uint32_t bucket_length = 384;    // a block splits its segment into buckets of about this many keys for its warps
  std::uint32_t part_length = 4096;     // a longer segment is split into parts of about this many keys for blocks
  std::uint32_t block_threads[5] = {128, 256, 512, 1024, 1024};  // for segments up to 2048, 4096, ... 32768: more
      // threads mean fewer concurrent segments, which keeps values that are gathered in random order in the cache
};

}  // namespace warpseed::sort::cuda
