// The search for unaligned mates near one alignment of their mate. Each search is independent of all others.
#pragma once

#include <cstdint>

#include "align/pair/device_pairs.cuh"

namespace warpseed::align::cuda {

/// A mate to be searched near an alignment of the other mate, the anchor.
struct UnalignedMate {
  GenomePos begin = 0;                   // of the window
  TextPos position = text::no_text_pos;  // the same in the text, if the window is in one segment
  const Alignment* anchor = nullptr;     // in the list before the round, which may move the list of its read
  std::uint32_t length = 0;              // of the window; 0: the window or the mate is too short
  std::uint32_t contig = 0;
  std::uint32_t mate = 0;  // of the batch's reads
  Orientation seen = Orientation::fr;
  bool reverse = false;  // the mate is on the reverse strand
};

/// The alignments found for one unaligned mate.
struct FoundRange {
  std::uint32_t first = 0, count = 0;
};

struct FoundMates {
  Buffer<FoundRange> ranges;     // [unaligned mates]
  Buffer<Alignment> alignments;  // some may be below the minimum score
};

/// Finds what ReadAligner::rescue() finds for each mate. One warp counts the votes of a mate; a thread or a warp
/// extends a seed. longest: length of the longest read. widest: see DeviceInsertSizes.
FoundMates search_mates(const PairingView& view, View<UnalignedMate> unaligned, std::uint32_t longest,
                        std::uint64_t widest, const Stream& stream);

}  // namespace warpseed::align::cuda
