// The paths of alignments, and their differences from the genome, computed on a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/pipeline/device_reads.cuh"
#include "align/pipeline/read_alignments.hpp"
#include "core/buffer.cuh"
#include "core/pinned.cuh"
#include "core/view.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The alignments to trace: all that are reported. Those of read i begin at begins[i].
struct TracingView {
  text::GenomeView genome;
  DeviceReadsView reads;
  AlignOptions options;
  const Alignment* alignments;
  View<std::uint64_t> begins;  // [reads + 1]
};

/// The path of an alignment from its first to its last base, as CIGAR elements; the last element first.
struct DevicePath {
  static constexpr std::uint32_t max_elements = 31;  // only long, noisy reads have more

  std::uint32_t count = 0;
  std::uint32_t elements[max_elements];
};

struct GappedTask;
struct DifferenceArray;

/// The path of an alignment, if it is known.
struct PathEntry {
  std::uint32_t path = 0;  // 1 + its number; 0: an ungapped path
  std::uint32_t first_difference = 0;
  std::uint32_t differences = 0;  // 1 + their number; 0: the path is unknown
};

/// The paths of alignments as kernels see them; owns nothing.
struct TracedPathsView {
  const DevicePath* paths;        // in any order
  const PathEntry* notes;         // [alignments]
  const Difference* differences;  // in any order of alignments
};

/// The paths of alignments on a device.
struct TracedPaths {
  Buffer<DevicePath> paths;
  Buffer<PathEntry> notes;
  Buffer<Difference> differences;

  TracedPathsView view() const { return {paths.data(), notes.data(), differences.data()}; }
};

/// Traces the paths of a part of a batch and copies them to the host. Keeps the staging memory from part to part.
class DevicePaths {
 public:
  /// Traces the reported alignments, one thread per gapped alignment, and queues the copies. Skips alignments that are
  /// too large. scratch_bytes: maximum device memory for scratch. share: see GrowingArray::room().
  TracedPaths trace(const TracingView& view, std::uint64_t alignment_count, std::uint64_t scratch_bytes, double share,
                    const Stream& stream);

  /// Forgets all traced paths.
  void clear() { notes_ = {}; }

  /// Replaces the contents of `to` by the paths of alignments [begin, end), which are one read's. Call it after the
  /// stream has been waited for.
  void give(std::uint64_t begin, std::uint64_t end, PrecomputedCigars& to) const;

 private:
  Buffer<DevicePath> trace_listed(const TracingView& view, View<GappedTask> listed, std::uint64_t scratch_words,
                                  double share, const DifferenceArray& room, PathEntry* notes, const Stream& stream);

  PinnedArray<DevicePath> staged_paths_;
  PinnedArray<PathEntry> staged_notes_;
  PinnedArray<Difference> staged_differences_;
  std::span<const DevicePath> paths_;        // in any order
  std::span<const PathEntry> notes_;         // [alignments], or empty: no paths
  std::span<const Difference> differences_;  // in any order of alignments
};

}  // namespace warpseed::align::cuda
