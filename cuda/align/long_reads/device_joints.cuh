// The paths between the anchors of the best chains of long reads, found on a device.
#pragma once

#include <cstdint>

#include "align/long_reads/chained_anchors.hpp"
#include "align/long_reads/device_anchor_chains.cuh"
#include "align/long_reads/long_reads_view.cuh"
#include "align/pipeline/alignment_device_data.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// For the anchors of each read's best chain, the paths of the joints that need dynamic programming and are short enough
/// for a warp. Those without gaps and longer ones are left to the host.
struct DeviceJointPaths {
  Buffer<std::uint64_t> begins;  // [reads + 1] where the paths of each read begin
  Buffer<JointPath> paths;       // those that are not known, too, begin where the ones before end
  Buffer<std::uint32_t> elements;
};

/// memory_bytes: about the most that is used for the matrices that are computed at a time.
DeviceJointPaths align_joints(const AlignmentDeviceData& index, const LongReadsView& reads,
                              const DeviceAnchorChains& chains, std::uint64_t memory_bytes, const Stream& stream);

}  // namespace warpseed::align::cuda
