// Segments listed by length class, each of which has its own kernel.
#pragma once

#include <array>
#include <cstdint>

#include "core/buffer.cuh"
#include "sort/segmented_sort.cuh"

namespace warpseed::sort::cuda {

/// The longest segment of each class except the last, which has no limit. A segment goes to the first class that fits.
constexpr int warp_classes = 7, block_classes = 5, long_class = warp_classes + block_classes;
constexpr int class_count = long_class + 1;
constexpr std::uint32_t class_longest[long_class] = {64, 128, 192, 256, 384, 512, 768, 2048, 4096, 8192, 16384, 32768};

using ClassCounts = std::array<std::uint32_t, class_count>;

/// A segment of at most 2^16 - 1 keys, 8 bytes.
struct ShortSegment {
  std::uint64_t packed;

  __host__ __device__ static ShortSegment of(std::uint64_t begin, std::uint32_t length) {
    return {begin << 16 | length};
  }
  __device__ std::uint64_t begin() const { return packed >> 16; }
  __device__ std::uint32_t length() const { return static_cast<std::uint32_t>(packed & 0xFFFF); }
};

struct LongSegment {
  std::uint64_t begin;
  std::uint32_t length;
};

/// View of the lists for kernels that add segments; owns nothing. The order within a list is not deterministic; the
/// sort's result does not depend on it.
struct ListsView {
  ShortSegment* short_segments[long_class] = {};
  LongSegment* long_segments = nullptr;
  std::uint32_t* counts = nullptr;         // [class_count]
  std::uint32_t longest[long_class] = {};  // class_longest, for kernels
  SegmentedSortTuning tuning = {};

  __device__ int class_of(std::uint64_t length) const {
    if (length > tuning.block_longest) return long_class;
    int found = length > tuning.warp_longest ? warp_classes : 0;
    while (length > longest[found]) ++found;
    return found;
  }

  __device__ void put(int which, std::uint32_t slot, std::uint64_t begin, std::uint32_t length) const {
    if (which == long_class) {
      long_segments[slot] = {begin, length};
    } else {
      short_segments[which][slot] = ShortSegment::of(begin, length);
    }
  }

  /// Adds one segment to a class that can hold it.
  __device__ void add(int which, std::uint64_t begin, std::uint32_t length) const {
    put(which, atomicAdd(&counts[which], 1U), begin, length);
  }
};

/// Owns the lists, with room for all segments that `keys` keys can form: no list overflows.
class SegmentLists {
 public:
  SegmentLists(std::uint64_t keys, const SegmentedSortTuning& tuning, const Stream& stream);

  ListsView view();

  /// Empties the short lists and begins a new list of long segments; old_long() returns the previous one.
  void begin_level();
  const LongSegment* old_long() const { return long_[1 - current_long_].data(); }

  /// Waits for the queued work.
  ClassCounts counts() const;

 private:
  SegmentedSortTuning tuning_;
  Buffer<ShortSegment> short_;
  std::array<std::uint64_t, long_class> short_begin_{};
  Buffer<LongSegment> long_[2];
  int current_long_ = 0;
  Buffer<std::uint32_t> counts_;
};

}  // namespace warpseed::sort::cuda
