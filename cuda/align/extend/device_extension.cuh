// Extends the chains of a part of a batch and ranks the alignments, on a device.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/alignment_view.cuh"
#include "align/chain/device_chains.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// The alignments of a part's reads. Those of read i are ranked, begin at begins[i], and are counts[i] in number.
struct DeviceAlignments {
  Buffer<Alignment> alignments;
  Buffer<std::uint64_t> begins;  // [reads + 1]
  Buffer<std::uint32_t> counts;  // [reads]
};

/// Builds the alignments of the chains and ranks them. A thread or a warp extends the longest hit of each chain, then
/// one thread or warp per read goes through its chains. longest: length of the longest read.
DeviceAlignments grow_alignments(const AlignmentView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream);

}  // namespace warpseed::align::cuda
