// The anchors of long reads, found on a device.
#pragma once

#include <cstdint>

#include "align/long_reads/anchor_search_core.hpp"
#include "align/long_reads/long_reads_view.cuh"
#include "align/pipeline/alignment_device_data.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// All anchors of all reads as the searches find them, in any order: those of AnchorFinder::search(). Throws
/// OutOfDeviceMemory if there are more matches than reads have room for. parts: of all reads.
Buffer<StrandAnchor> find_anchors(const AlignmentDeviceData& index, const AnchorRules& rules,
                                  const LongReadsView& reads, std::uint64_t parts, const Stream& stream);

/// Anchors merged and sorted as AnchorFinder::arrange() does, strand by strand.
struct ArrangedAnchors {
  Buffer<Anchor> anchors;
  Buffer<std::uint64_t> strand_begins;  // [2 * reads + 1]
};

ArrangedAnchors arrange_anchors(Buffer<StrandAnchor> found, std::uint64_t reads, std::uint64_t genome_size,
                                const Stream& stream);

}  // namespace warpseed::align::cuda
