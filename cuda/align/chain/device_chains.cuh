// From the seed hits of a part of a batch to the chains that are extended, on a device.
#pragma once

#include <cstdint>

#include "align/alignment_view.cuh"
#include "align/chain/chain_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// The chains of the reads of a part. Those that are extended are listed in `kept`, by their places among the read's.
struct DeviceChains {
  Buffer<SeedHit> hits;
  Buffer<std::int32_t> ungapped_scores;  // [hits] what the diagonal of each scores
  Buffer<Chain> chains;                  // [hits]
  Buffer<std::uint32_t> kept;            // [hits]
  Buffer<std::uint32_t> counts;          // [reads] chains kept
  Buffer<std::uint64_t> room;            // [reads + 1] hits of the chains kept
};

/// Joins the hits of each read to chains and drops those that are dominated, a warp a read.
DeviceChains chain_hits(const AlignmentView& view, Buffer<SeedHit> hits, const Stream& stream);

}  // namespace warpseed::align::cuda
