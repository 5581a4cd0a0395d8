// The chains of the anchors of long reads, found on a device.
#pragma once

#include <cstdint>

#include "align/long_reads/device_anchors.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// The chains that AnchorChainer::chain() finds, read by read, in the order in which it finds them, before it sorts them.
struct DeviceAnchorChains {
  Buffer<Anchor> anchors;               // chain by chain
  Buffer<std::uint64_t> anchor_begins;  // [reads + 1]
  Buffer<AnchorChain> chains;           // anchors count from the read's first
  Buffer<std::uint64_t> chain_begins;   // [reads + 1]
  Buffer<std::uint32_t> best;           // [reads] the chain that comes first when sorted
};

DeviceAnchorChains chain_anchors(ArrangedAnchors arranged, const Stream& stream);

}  // namespace warpseed::align::cuda
