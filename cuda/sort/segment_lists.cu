#include "sort/segment_lists.cuh"

#include <algorithm>

namespace warpseed::sort::cuda {

namespace {

/// The maximum number of segments of a class. The first class also gets the short segments of sparse tiles
/// (tiny_segments.cu), 32 among 2016 keys, and parts of long segments, one per 64 keys (partition.cu).
std::uint64_t room_for(int which, std::uint64_t keys, const SegmentedSortTuning& tuning) {
  if (which == 0) return std::max(keys / (tuning.tiny_longest + 1) + keys / 63 + 33, keys / 64 + 1);
  const std::uint64_t shortest = class_longest[which - 1] + 1;
  return keys / (which == warp_classes ? std::min<std::uint64_t>(shortest, tuning.warp_longest + 1) : shortest) + 1;
}

}  // namespace

SegmentLists::SegmentLists(std::uint64_t keys, const SegmentedSortTuning& tuning, const Stream& stream)
    : tuning_(tuning), counts_(class_count, stream) {
  std::uint64_t room = 0;
  for (int i = 0; i < long_class; ++i) {
    short_begin_[static_cast<std::size_t>(i)] = room;
    room += room_for(i, keys, tuning);
  }
  short_ = Buffer<ShortSegment>(room, stream);
  const std::uint64_t shortest_for_a_block = std::min(tuning.warp_longest, class_longest[warp_classes - 1]) + 1;
  for (auto& segments : long_) segments = Buffer<LongSegment>(keys / shortest_for_a_block + 1, stream);
  counts_.fill_zero();
}

ListsView SegmentLists::view() {
  ListsView lists;
  for (std::size_t i = 0; i < long_class; ++i) lists.short_segments[i] = short_.data() + short_begin_[i];
  lists.long_segments = long_[current_long_].data();
  lists.counts = counts_.data();
  std::copy(std::begin(class_longest), std::end(class_longest), std::begin(lists.longest));
  lists.tuning = tuning_;
  return lists;
}

void SegmentLists::begin_level() {
  current_long_ = 1 - current_long_;
  counts_.fill_zero();
}

ClassCounts SegmentLists::counts() const {
  ClassCounts counts{};
  counts_.read(counts);
  return counts;
}

}  // namespace warpseed::sort::cuda
