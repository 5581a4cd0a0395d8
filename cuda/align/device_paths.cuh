// The paths of alignments with gaps, traced on a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/device_reads.cuh"
#include "align/placed_read.hpp"
#include "core/buffer.cuh"
#include "core/pinned.cuh"
#include "core/view.hpp"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

/// What is traced: the alignments of reads, those of read i from begins[i] on, all that records tell of.
struct TracingView {
  GenomeView genome;
  DeviceReadsView reads;
  AlignOptions options;
  const Alignment* alignments;
  View<std::uint64_t> begins;  // [reads + 1]
};

/// The path of an alignment from its first to its last base, as CIGAR elements; the last element first.
struct DevicePath {
  static constexpr std::uint32_t most_elements = 31;  // long, noisy reads alone have more

  std::uint32_t count = 0;
  std::uint32_t elements[most_elements];
};

/// Traces the paths of a part of a batch and brings them to the host; keeps the room for them from part to part.
class GappedPaths {
 public:
  /// Traces what records tell of and what has no straight path, a thread an alignment, and begins to copy it. What is
  /// too large for that is left out. scratch_bytes: of the device, at most. share: see PinnedArray::room().
  void trace(const TracingView& view, std::uint64_t alignment_count, std::uint64_t scratch_bytes, double share,
             const Stream& stream);

  /// As if nothing had been traced.
  void clear() { numbers_ = {}; }

  /// Puts those of alignments [begin, end), one read's, in the place of what is there. After the stream has been waited
  /// for.
  void give(std::uint64_t begin, std::uint64_t end, std::vector<GappedPath>& to) const;

 private:
  PinnedArray<DevicePath> staged_paths_;
  PinnedArray<std::uint32_t> staged_numbers_;
  std::span<const DevicePath> paths_;       // in any order
  std::span<const std::uint32_t> numbers_;  // [alignments] 1 + the place of each one's path, 0 without; empty: no paths
};

}  // namespace warpseed::cuda
