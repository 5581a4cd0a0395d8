// The anchors of long reads, found on a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/anchor_search_core.hpp"
#include "align/pipeline/alignment_device_data.cuh"
#include "align/pipeline/read_alignments.hpp"
#include "core/pinned.cuh"
#include "core/stream.cuh"

namespace warpseed::align::cuda {

/// An anchor as kernels write it.
struct DeviceAnchor {
  GenomePos genome_begin;
  std::uint32_t query_begin, length;
  std::uint32_t contig;
  std::uint32_t strand;  // 2 * the read's number in its group, 1 more on the reverse strand
};

/// Threads: one caller at a time.
class DeviceAnchors {
 public:
  /// Both must outlive it. memory_bytes: at most about that much device memory is used.
  DeviceAnchors(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t memory_bytes);

  /// Sets the anchors of all long reads, those that AnchorFinder::search() finds on the CPU, in any order. Reads for
  /// which memory is short, or that have very many matches, get none, and has_anchors stays false.
  void find(std::span<ReadAlignments> reads);

 private:
  using Group = std::span<ReadAlignments* const>;

  void find_group(Group reads);
  void hand_out(Group reads, std::uint64_t count);

  const AlignmentDeviceData& index_;
  const Stream& stream_;
  const std::uint64_t most_bases_;  // of a group
  const AnchorRules rules_;
  PinnedArray<std::uint64_t> words_, offsets_;  // staging, kept from batch to batch
  PinnedArray<std::uint32_t> lengths_;
  PinnedArray<std::uint64_t> part_begins_;
  PinnedArray<DeviceAnchor> anchors_;
};

}  // namespace warpseed::align::cuda
