// Mates on a device: rescue of unaligned mates, and the joint choice of both alignments.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/pair/pair_core.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/device_reads.cuh"
#include "core/buffer.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The insert size distributions of the read groups, on a device.
class DeviceInsertSizes {
 public:
  DeviceInsertSizes(const ReadGroupInsertSizes& insert_sizes, const Stream& stream);

  /// [groups + 1]; the last is for unknown groups.
  View<InsertSizeView> view() const { return views_.view(); }

  /// The widest range of insert sizes of any orientation, in bases; 0 if none is known.
  std::uint64_t widest() const { return widest_; }

 private:
  std::uint64_t widest_ = 0;
  Buffer<std::int32_t> scores_;
  Buffer<InsertSizeView> views_;
};

/// The pairs [first_pair, first_pair + pair_count) of a batch as kernels see them. Reads 2i and 2i + 1 are pair i.
struct PairingView {
  text::GenomeView genome;
  DeviceReadsView reads;
  AlignOptions options;
  Alignment** lists;               // [reads] the ranked alignments of each
  std::uint32_t* counts;           // [reads] how many
  View<ReadTraits> traits;         // [reads]
  View<std::uint32_t> groups;      // [2 * pair_count] read groups
  View<InsertSizeView> expected;   // by read group
  std::uint64_t first_number = 0;  // of the batch's reads
  std::uint64_t first_pair = 0, pair_count = 0;

  __device__ View<Alignment> alignments(std::uint64_t read) const { return {lists[read], counts[read]}; }
  __device__ RankedAlignments ranked(std::uint64_t read) const { return {lists[read], counts[read], traits[read]}; }
  __device__ std::uint32_t length(std::uint64_t read) const { return traits[read].length; }
  __device__ const InsertSizeView& insert_sizes(std::uint64_t pair) const {
    const std::uint64_t group = groups[2 * (pair - first_pair)];
    return expected[group + 1 < expected.size ? group : expected.size - 1];
  }
};

/// Rescues mates if the options ask for it, and chooses the alignments of both mates of each pair: one thread per pair,
/// or one warp if there are many alignments. May make a competitor the winner of its group. choices: [2 * pair_count].
/// Returns the result of rescue_mates(). If it throws, nothing has changed.
Buffer<Alignment> choose_alignments(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                                    Choice* choices, const Stream& stream);

}  // namespace warpseed::align::cuda
