// Chains the seed hits of a part of a batch and selects the chains to extend, on a device.
#pragma once

#include <cstdint>

#include "align/alignment_view.cuh"
#include "align/chain/chain_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// The chains of the reads of a part. `kept` lists those to extend, by their indices among the read's chains.
struct DeviceChains {
  Buffer<SeedHit> hits;
  Buffer<std::int32_t> ungapped_scores;  // [hits] of the diagonal of each
  Buffer<Chain> chains;                  // [hits]
  Buffer<std::uint32_t> kept;            // [hits]
  Buffer<std::uint32_t> counts;          // [reads] chains kept
  Buffer<std::uint64_t> room;            // [reads + 1] hits of the kept chains
};

/// Joins the hits of each read to chains and drops dominated chains, one warp per read.
DeviceChains chain_hits(const AlignmentView& view, Buffer<SeedHit> hits, const Stream& stream);

}  // namespace warpseed::align::cuda
