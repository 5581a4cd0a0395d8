// Where lost mates are found, each near one place of its mate: by itself, whatever else is found.
#pragma once

#include <cstdint>

#include "align/pair/device_pairs.cuh"

namespace warpseed::align::cuda {

/// A mate that is looked for near an alignment of the other one, the anchor.
struct UnalignedMate {
  GenomePos begin = 0;                   // of the window
  TextPos position = text::no_text_pos;  // the same in the text, unless the window is not in one segment
  const Alignment* anchor = nullptr;     // as it is before the round, which may give its read a longer list elsewhere
  std::uint32_t length = 0;              // of the window; too short to hold the mate: 0
  std::uint32_t contig = 0;
  std::uint32_t mate = 0;  // of the batch's reads
  Orientation seen = Orientation::fr;
  bool reverse = false;  // the mate to the other strand
};

/// What is found of one lost mate.
struct FoundRange {
  std::uint32_t first = 0, count = 0;
};

struct FoundMates {
  Buffer<FoundRange> ranges;     // [lost mates]
  Buffer<Alignment> alignments;  // some not worth keeping
};

/// What ReadAligner::rescue() finds of each: a warp counts votes, a warp extends. longest: of the reads. widest: see
/// DeviceInsertSizes.
FoundMates search_mates(const PairingView& view, View<UnalignedMate> unaligned, std::uint32_t longest,
                        std::uint64_t widest, const Stream& stream);

}  // namespace warpseed::align::cuda
