// Seeds and seed hits of a batch of reads, on a device.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/pipeline/alignment_device_data.cuh"
#include "align/pipeline/device_reads.cuh"
#include "align/seed/device_seed_hits.cuh"
#include "align/seed/seed_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// Reads [first, end) and their hits: `hits` of them, from the batch's hit `first_hit` on.
struct HitPart {
  std::uint64_t first = 0, end = 0, first_hit = 0, hits = 0;
};

/// One thread runs a search, with the same steps as on the CPU. A thread that has finished takes the next waiting
/// search, so that a warp does not wait for its longest read. Seeds are found in any order and then sorted, so that the
/// hits of a read are contiguous.
///
/// Memory: some kilobytes per read of 150 bases, kept from batch to batch; 25 bytes per hit during the sort.
class DeviceSeeder {
 public:
  /// `index` must outlive the seeder and be on the stream's device. narrow_rows: see AlignerLimits.
  DeviceSeeder(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t narrow_rows);

  /// Finds the seeds of all reads and counts their hits. No read may be longer than longest_device_read. traits:
  /// [reads], output, on the device.
  void find(const DeviceReadsView& reads, ReadTraits* traits);

  /// Where the hits of each read begin, [reads + 1], on the device.
  View<std::uint64_t> hit_begins() const { return read_hits_.view(); }

  /// The reads from `first` on that have at most `most` hits in total; at least one read.
  HitPart part_from(std::uint64_t first, std::uint64_t most) const;

  /// The hits of a part of `reads`, which must be those of the last find(), sorted by read and then by comes_before().
  /// At most 2^31 - 1.
  Buffer<SeedHit> hits_of(const DeviceReadsView& reads, const HitPart& part) const;

  /// Releases the memory that is kept from batch to batch.
  void release();

 private:
  std::uint64_t search(const DeviceReadsView& reads);
  void put_in_order(const DeviceReadsView& reads, std::uint64_t count);
  void note_traits(const DeviceReadsView& reads, ReadTraits* traits) const;
  SeedsInOrder in_order(const DeviceReadsView& reads) const;

  const Stream& stream_;
  const AlignmentDeviceData& index_;
  const SeedRules rules_;
  const bool narrow_;                  // positions have 32 bits
  Buffer<FoundSeed> found_;            // kept from batch to batch
  Buffer<std::uint32_t> order_;        // [seeds] of the batch, indices into found_
  Buffer<std::uint64_t> seed_hits_;    // [seeds + 1] where the hits of each seed begin, in order
  Buffer<std::uint64_t> search_hits_;  // [searches + 1] where the hits of each begin
  Buffer<std::uint64_t> read_hits_;    // [reads + 1]
};

}  // namespace warpseed::align::cuda
