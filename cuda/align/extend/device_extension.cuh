// From the chains of a part of a batch to its ranked alignments, on a device.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/alignment_view.cuh"
#include "align/chain/device_chains.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// Alignments of the reads of a part: those of read i are those from begins[i] on, ranked, counts[i] of them.
struct DeviceAlignments {
  Buffer<Alignment> alignments;
  Buffer<std::uint64_t> begins;  // [reads + 1]
  Buffer<std::uint32_t> counts;  // [reads]
};

/// Grows the alignments of the chains and ranks them: the longest hit of each chain is extended, by a thread or a warp, then
/// a thread or a warp a read goes through its chains. longest: of the reads.
DeviceAlignments grow_alignments(const AlignmentView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream);

}  // namespace warpseed::align::cuda
