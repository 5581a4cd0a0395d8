// A warp scans a stretch of the text, a lane a position. With few entries in a bucket, each lane compares its own
// position's; with many, all lanes compare those of one position after the other.
#include "approximate/text_scan.cuh"

#include <algorithm>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "warpseed/error.hpp"

namespace warpseed::approximate::cuda {

namespace {

constexpr std::uint64_t warp_positions = 2048;
constexpr std::uint64_t launch_positions = 64 << 20;
constexpr std::uint64_t many_entries = 8;  // of a bucket

/// A ScanTable in device memory.
class DeviceScanTable {
 public:
  DeviceScanTable(const ScanTable& table, const Stream& stream)
      : shapes_(table.shapes(), stream),
        bucket_begins_(table.bucket_begins(), stream),
        masks_(table.masks(), stream),
        patterns_(table.patterns(), stream),
        differences_(table.view().differences) {}

  ScanView view() const {
    return {shapes_.view(), bucket_begins_.view(), masks_.view(), patterns_.view(), differences_};
  }

 private:
  Buffer<ScanShape> shapes_;
  Buffer<std::uint32_t> bucket_begins_;
  Buffer<BaseMasks> masks_;
  Buffer<std::uint32_t> patterns_;
  std::uint32_t differences_;
};

/// A stretch of the text that begins at a position.
struct Stretch {
  TextPos at = 0;
  std::uint64_t window = 0;
  BaseMasks masks;

  __device__ Stretch from_lane(unsigned lane) const {
    Stretch other = {__shfl_sync(all_lanes, at, lane), __shfl_sync(all_lanes, window, lane), {}};
    for (unsigned base = 0; base < 4; ++base) other.masks.of[base] = __shfl_sync(all_lanes, masks.of[base], lane);
    return other;
  }
};

/// What a thread needs to compare stretches.
struct Scanner {
  const ScanView& scan;
  const PackedEnd& packing;
  const Appender<std::uint64_t>& found;

  /// Compares a stretch with every step-th entry of its buckets, from `first` on.
  __device__ void compare(const ScanShape& shape, const Stretch& stretch, std::uint32_t first,
                          std::uint32_t step) const {
    for (std::uint32_t part = 0; part <= scan.differences; ++part) {
      const std::uint32_t bucket = shape.bucket(part, stretch.window), end = scan.bucket_begins[bucket + 1];
      for (std::uint32_t entry = scan.bucket_begins[bucket] + first; entry < end; entry += step) {
        const std::uint32_t mismatches = scan.mismatches(shape, part, scan.masks[entry], stretch.masks);
        if (mismatches > scan.differences) continue;
        found.add_while_room(packing.pack(scan.patterns[entry], stretch.at + shape.length, mismatches));
      }
    }
  }
};

/// Scans positions [first, last).
template <bool warp_compares>
__global__ void scan_kernel(text::GenomeView genome, ScanView scan, PackedEnd packing, TextPos first, TextPos last,
                            Appender<std::uint64_t> found) {
  const Scanner scanner = {scan, packing, found};
  const TextPos begin = first + thread_index() / warp_threads * warp_positions;
  const TextPos end = begin + warp_positions < last ? begin + warp_positions : last;
  if (begin >= end) return;
  for (std::uint64_t segment = text::segment_at(genome, begin);
       segment < genome.segment_count() && genome.segments[segment].text_begin < end; ++segment) {
    const TextPos segment_begin = genome.segments[segment].text_begin, segment_end = genome.separator_of(segment);
    const TextPos stop = end < segment_end ? end : segment_end;
    for (TextPos at = begin > segment_begin ? begin : segment_begin; at < stop; at += warp_threads) {
      Stretch stretch;
      stretch.at = at + lane_id();
      if (stretch.at < stop) stretch.window = genome.text.window(stretch.at);
      stretch.masks = masks_of_window(stretch.window);
      for (const ScanShape& shape : scan.shapes) {
        const bool like =
            stretch.at < stop && stretch.at + shape.length <= segment_end && shape.matches_exact_ends(stretch.masks);
        if constexpr (warp_compares) {
          for (unsigned lanes = __ballot_sync(all_lanes, like); lanes != 0;) {
            scanner.compare(shape, stretch.from_lane(pop_lowest_lane(lanes)), lane_id(), warp_threads);
          }
        } else if (like) {
          scanner.compare(shape, stretch, 0, 1);
        }
      }
    }
  }
}

}  // namespace

PackedEnds scan_text(const text::GenomeView& genome, const ScanTable& table, const PackedEnd& packing,
                     std::uint64_t patterns, const Stream& stream, int threads) {
  const DeviceScanTable device_table(table, stream);
  const bool many = table.masks().size() >= many_entries * table.bucket_begins().size();
  const std::uint64_t room = DeviceEnds::room_within(stream.pool().free_bytes());
  DeviceEnds ends(packing, patterns, room, stream, threads);
  std::uint64_t positions = launch_positions;
  for (TextPos first = 0; first < genome.text.size;) {
    const TextPos last = std::min<TextPos>(genome.text.size, first + positions);
    const std::uint64_t warps = (last - first + warp_positions - 1) / warp_positions;
    launch("scan_kernel", many ? scan_kernel<true> : scan_kernel<false>, warps * warp_threads, stream, genome,
           device_table.view(), packing, first, last, ends.appender());
    if (ends.accept()) {
      first = last;
    } else if (ends.count() > 0) {
      ends.make_room(room);
    } else if (positions > warp_positions) {
      positions /= 2;
    } else {
      throw BackendError(
          "the occurrences of the patterns in a few bases of the text do not fit device memory; "
          "give the patterns more bases or allow fewer differences");
    }
  }
  return ends.take();
}

}  // namespace warpseed::approximate::cuda
