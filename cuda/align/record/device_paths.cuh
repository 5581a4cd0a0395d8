// The paths of alignments, and where they differ from the genome, found on a device.
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

/// What is traced: the alignments of reads, those of read i from begins[i] on, all that records tell of.
struct TracingView {
  text::GenomeView genome;
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

struct GappedTask;
struct DifferenceRoom;

/// What is known of an alignment's path.
struct PathNote {
  std::uint32_t path = 0;  // 1 + its number; 0: one without gaps
  std::uint32_t first_difference = 0;
  std::uint32_t differences = 0;  // 1 + how many; 0: nothing is known
};

/// Traces the paths of a part of a batch and brings them to the host; keeps the room for them from part to part.
class DevicePaths {
 public:
  /// Traces what records tell of, a thread an alignment where there are gaps, and begins to copy it. What is too large for
  /// that is left out. scratch_bytes: of the device, at most. share: see GrowingArray::room().
  void trace(const TracingView& view, std::uint64_t alignment_count, std::uint64_t scratch_bytes, double share,
             const Stream& stream);

  /// As if nothing had been traced.
  void clear() { notes_ = {}; }

  /// Puts those of alignments [begin, end), one read's, in the place of what is there. After the stream has been waited
  /// for.
  void give(std::uint64_t begin, std::uint64_t end, PrecomputedCigars& to) const;

 private:
  void trace_listed(const TracingView& view, View<GappedTask> listed, std::uint64_t scratch_words, double share,
                    const DifferenceRoom& room, PathNote* notes, const Stream& stream);

  PinnedArray<DevicePath> staged_paths_;
  PinnedArray<PathNote> staged_notes_;
  PinnedArray<Difference> staged_differences_;
  std::span<const DevicePath> paths_;        // in any order
  std::span<const PathNote> notes_;          // [alignments], or empty: no paths
  std::span<const Difference> differences_;  // in any order of alignments
};

}  // namespace warpseed::align::cuda
