// The chains of long reads, and the paths between their anchors, found on a device.
#pragma once

#include <cstdint>
#include <span>

#include "align/long_reads/chained_anchors.hpp"
#include "align/long_reads/device_anchor_chains.cuh"
#include "align/long_reads/device_anchors.cuh"
#include "align/long_reads/device_joints.cuh"
#include "align/long_reads/long_reads_view.cuh"
#include "align/pipeline/alignment_device_data.cuh"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "core/pinned.cuh"
#include "core/stream.cuh"

namespace warpseed::align::cuda {

/// Threads: one caller at a time.
class DeviceLongReads {
 public:
  /// Both must outlive it. memory_bytes: at most about that much device memory is used.
  DeviceLongReads(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t memory_bytes);

  /// Sets the chains of all long reads. Reads for which memory is short, or that have very many matches, get none, and
  /// has_chains stays false. times: of the stages, which are added to it.
  void chain(std::span<ReadAlignments> reads, StageTimes& times);

 private:
  using Group = std::span<ReadAlignments* const>;

  /// A group's reads in device memory.
  struct Uploaded {
    Buffer<std::uint64_t> words, offsets, part_begins;
    Buffer<std::uint32_t> lengths;
    std::uint64_t parts = 0;

    LongReadsView view() const { return {words.data(), offsets.view(), lengths.view(), part_begins.view()}; }
  };

  void chain_group(Group reads, StageTimes& times);
  Uploaded upload(Group reads);
  void hand_out(Group reads, const DeviceAnchorChains& chains, const DeviceJointPaths& joints);

  const AlignmentDeviceData& index_;
  const Stream& stream_;
  const std::uint64_t memory_bytes_;
  const std::uint64_t most_bases_;  // of a group
  const AnchorRules rules_;
  PinnedArray<std::uint64_t> words_, offsets_, part_begins_;  // staging, kept from batch to batch, like those below
  PinnedArray<std::uint32_t> lengths_;
  PinnedArray<Anchor> anchors_;
  PinnedArray<AnchorChain> chains_;
  PinnedArray<JointPath> joints_;
  PinnedArray<std::uint32_t> elements_;
  PinnedArray<std::uint64_t> anchor_begins_, chain_begins_, joint_begins_;
};

}  // namespace warpseed::align::cuda
