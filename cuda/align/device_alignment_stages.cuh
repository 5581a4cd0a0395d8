// From the hits of a batch of reads to their ranked alignments, on a device.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/extend/extend_hit_core.hpp"
#include "align/pipeline/device_reads.cuh"
#include "align/seed/device_seeder.cuh"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// What every kernel of the placement reads. Reads are those of a part of the batch that begins at first_read; hits and
/// chains of read i of the part stand from hit_begins[first_read + i] - hit_begins[first_read] on.
struct AlignmentView {
  text::GenomeView genome;
  DeviceReadsView reads;
  AlignOptions options;
  View<std::uint64_t> hit_begins;  // [reads of the batch + 1]
  std::uint64_t first_read = 0;
  std::uint64_t first_number = 0;  // of the batch's reads
  std::uint64_t read_count = 0;    // of the part

  __device__ std::uint64_t hit_begin(std::uint64_t i) const {
    return hit_begins[first_read + i] - hit_begins[first_read];
  }
  __device__ std::uint32_t hit_count(std::uint64_t i) const {
    return static_cast<std::uint32_t>(hit_begins[first_read + i + 1] - hit_begins[first_read + i]);
  }
  __device__ std::uint32_t length(std::uint64_t i) const { return reads.lengths[first_read + i]; }
  __device__ std::uint64_t number(std::uint64_t i) const { return first_number + first_read + i; }
};

/// Alignments of the reads of a part: those of read i stand from begins[i] on, ranked, counts[i] of them.
struct DeviceAlignments {
  Buffer<Alignment> alignments;
  Buffer<std::uint64_t> begins;  // [reads + 1]
  Buffer<std::uint32_t> counts;  // [reads]
};

/// The chains of the reads of a part. Those that are extended are listed in `kept`, by their places among the read's.
struct DeviceChains {
  Buffer<SeedHit> hits;
  Buffer<std::int32_t> ungapped_scores;  // [hits] what the diagonal of each scores
  Buffer<Chain> chains;                  // [hits]
  Buffer<std::uint32_t> kept;            // [hits]
  Buffer<std::uint32_t> counts;          // [reads] chains kept
  Buffer<std::uint64_t> room;            // [reads + 1] hits of the chains kept
};

/// What an alignment along the diagonal of each hit of a part scores without gaps: [hits].
Buffer<std::int32_t> ungapped_diagonal_scores(const AlignmentView& view, View<SeedHit> hits, const Stream& stream);

/// Joins the hits of each read to chains and drops those that are hopeless, a warp a read.
DeviceChains chain_hits(const AlignmentView& view, Buffer<SeedHit> hits, const Stream& stream);

/// Grows the alignments of the chains and ranks them: the longest hit of each chain is extended, by a thread or a warp, then
/// a thread or a warp a read goes through its chains. longest: of the reads.
DeviceAlignments grow_alignments(const AlignmentView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream);

/// The numbers of values [count], the largest value first.
Buffer<std::uint32_t> largest_first(const Buffer<std::uint32_t>& values, const Stream& stream);

/// The sum of the counts before each, and of all: [counts + 1].
Buffer<std::uint64_t> sums_before(View<std::uint32_t> counts, const Stream& stream);

}  // namespace warpseed::align::cuda
