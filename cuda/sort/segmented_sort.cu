#include "sort/segmented_sort.cuh"

#include <stdexcept>

#include "core/transfer.cuh"
#include "sort/entry.hpp"
#include "sort/partition.cuh"
#include "sort/segment_lists.cuh"
#include "sort/short_segments.cuh"
#include "sort/tiny_segments.cuh"

namespace warpseed::sort::cuda {

namespace {

void check_tuning(const SegmentedSortTuning& tuning) {
  if (tuning.tiny_longest < 1 || tuning.tiny_longest > 64 || tuning.warp_longest < tuning.tiny_longest ||
      tuning.warp_longest > class_longest[warp_classes - 1] || tuning.block_longest < 2048 ||
      tuning.block_longest > 32768 || tuning.bucket_length < 128 || tuning.part_length < 128 ||
      tuning.part_length > tuning.block_longest) {
    throw std::invalid_argument("segmented_sort: tuning out of range");
  }
}

/// Buffers for the pairs of long segments between passes, at the same indices as in the caller's arrays.
template <class Value>
struct Parts {
  Buffer<std::uint32_t> keys;
  Buffer<Value> values;

  void make_room(std::uint64_t count, const Stream& stream) {
    if (keys.size() > 0) return;
    keys = Buffer<std::uint32_t>(count, stream);
    if constexpr (has_values<Value>) values = Buffer<Value>(count, stream);
  }
};

/// Sorts the listed segments that fit a block or less; returns how many are left as long ones.
template <class Value>
std::uint32_t sort_short(const PairArrays<Value>& pairs, SegmentLists& lists, const Stream& stream) {
  const ClassCounts counts = lists.counts();
  std::uint32_t for_blocks = 0;
  for (int which = long_class - 1; which >= warp_classes; --which) {  // the longest first
    sort_by_blocks(pairs, which, counts[static_cast<std::size_t>(which)], lists.view(), stream);
    for_blocks += counts[static_cast<std::size_t>(which)];
  }
  sort_by_warps(pairs, counts, lists.view(), stream);
  return for_blocks > 0 ? lists.counts()[long_class] : counts[long_class];  // blocks may have added some
}

}  // namespace

template <class Value>
void segmented_sort(const PairArrays<Value>& pairs, View<std::uint64_t> offsets, std::uint64_t count,
                    const Stream& stream, const SegmentedSortTuning& tuning) {
  check_tuning(tuning);
  if (offsets.size < 2 || count == 0) return;
  SegmentLists lists(count, tuning, stream);
  sort_tiny_segments(pairs, offsets, count, lists.view(), stream);
  Parts<Value> parts[2];
  PairArrays<Value> from = pairs;
  for (int pass = 0;; ++pass) {
    const std::uint32_t left = sort_short(from, lists, stream);
    if (left == 0) return;
    Parts<Value>& into = parts[pass % 2];
    into.make_room(count, stream);
    lists.begin_level();
    partition_segments(from, into.keys.data(), into.values.data(), lists.old_long(), left, pass > 0, lists.view(),
                       stream);
    from.keys = into.keys.data(), from.values = into.values.data();
  }
}

template void segmented_sort(const PairArrays<NoValue>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                             const SegmentedSortTuning&);
template void segmented_sort(const PairArrays<std::uint32_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                             const SegmentedSortTuning&);
template void segmented_sort(const PairArrays<std::uint64_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                             const SegmentedSortTuning&);

// ---- host data: upload and download ------------------------------------------------------------------------------

template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend) {
  constexpr std::uint64_t value_bytes = std::is_empty_v<Value> ? 0 : sizeof(Value);
  const Stream stream(backend);
  stream.pool().require(2 * keys.size() * (sizeof(std::uint32_t) + value_bytes) + keys.size() + offsets.size_bytes(),
                        "sorting segments");
  Buffer<std::uint32_t> unsorted_keys(keys.size(), stream), sorted_keys(keys.size(), stream);
  Buffer<Value> unsorted(values.size(), stream), sorted(values.size(), stream);
  Buffer<std::uint64_t> device_offsets(offsets.size(), stream);
  stream.wait();  // the copies below run on streams of their own
  upload(unsorted_keys.data(), keys.data(), keys.size_bytes(), stream.pool(), backend.threads);
  upload(unsorted.data(), values.data(), values.size() * value_bytes, stream.pool(), backend.threads);
  upload(device_offsets.data(), offsets.data(), offsets.size_bytes(), stream.pool(), backend.threads);
  const PairArrays<Value> pairs{unsorted_keys.data(), unsorted.data(), sorted_keys.data(), sorted.data()};
  segmented_sort(pairs, device_offsets.view(), keys.size(), stream);
  stream.wait();
  const std::uint64_t begin = offsets.front(), count = offsets.back() - begin;
  download(keys.data() + begin, sorted_keys.data() + begin, count * sizeof(std::uint32_t), stream.pool(),
           backend.threads);
  if (values.empty()) return;
  download(values.data() + begin, sorted.data() + begin, count * value_bytes, stream.pool(), backend.threads);
}

template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(std::span<std::uint32_t>, std::span<NoValue>, std::span<const std::uint64_t>,
                             const Backend&);

}  // namespace warpseed::sort::cuda
