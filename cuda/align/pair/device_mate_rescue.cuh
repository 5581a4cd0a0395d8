// Rescue of the unaligned mates of a batch, on a device.
#pragma once

#include <cstdint>

#include "align/pair/device_pairs.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// Looks for unaligned mates; `lists` of reads with new alignments point into the memory that is returned. If it
/// throws, nothing has changed. longest: length of the longest read. widest: see DeviceInsertSizes.
Buffer<Alignment> rescue_mates(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                               const Stream& stream);

}  // namespace warpseed::align::cuda
