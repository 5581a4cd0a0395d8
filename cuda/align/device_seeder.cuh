// Seeds of a batch of reads and their places, on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "align/device_hits.cuh"
#include "align/device_reads.cuh"
#include "align/hit_finder.hpp"
#include "align/resident_index.cuh"
#include "align/seed_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::cuda {

/// Where a part of neighbouring reads ends that begins at read `first` and has at most `most` hits, but one read at least.
std::uint64_t part_end(const std::vector<std::uint64_t>& hit_begins, std::uint64_t first, std::uint64_t most);

/// Every search is one thread's, step by step as on the CPU; a thread whose search is done takes the next one that
/// waits, so that a warp does not wait for its longest read. Seeds come out in any order and are sorted, so that the hits
/// of a read lie together.
///
/// Memory: some kilobytes a read of 150 bases, kept from batch to batch; 25 bytes a hit while they are sorted.
class DeviceSeeder {
 public:
  /// `index` must outlive the seeder and be on the stream's device. threads: of the host. narrow_rows: see
  /// make_hit_finder().
  DeviceSeeder(const ResidentIndex& index, const Stream& stream, int threads, std::uint64_t narrow_rows = narrow_limit);

  /// Finds the seeds of all reads and counts their hits. No read may be longer than longest_device_read.
  void find(const DeviceReadsView& reads);

  /// Hits before those of each read, [reads + 1]: here and on the device.
  const std::vector<std::uint64_t>& hit_begins() const { return hit_begins_; }
  View<std::uint64_t> device_hit_begins() const { return read_hits_.view(); }

  /// The seeds with more places than are looked at, by search.
  const std::vector<FrequentSeed>& frequent() const { return frequent_; }

  /// The hits of reads [first, end) of `reads`, which are those of the last find(): by read, and in each in the order of
  /// comes_before(). At most 2^31 - 1.
  Buffer<Hit> hits_of(const DeviceReadsView& reads, std::uint64_t first, std::uint64_t end);

 private:
  std::uint64_t search(const DeviceReadsView& reads);
  void put_in_order(const DeviceReadsView& reads, std::uint64_t count);
  void list_frequent(const SeedsInOrder& seeds);
  SeedsInOrder in_order(const DeviceReadsView& reads) const;

  const Stream& stream_;
  int threads_;
  const ResidentIndex& index_;
  const SeedRules rules_;
  const bool narrow_;                  // positions have 32 bits
  Buffer<FoundSeed> found_;            // kept from batch to batch
  Buffer<std::uint32_t> order_;        // [seeds] of the batch, as numbers in found_
  Buffer<std::uint64_t> seed_hits_;    // [seeds + 1] hits before those of each seed, in order
  Buffer<std::uint64_t> search_hits_;  // [searches + 1] hits before those of each
  Buffer<std::uint64_t> read_hits_;    // [reads + 1]
  std::vector<std::uint64_t> hit_begins_;
  std::vector<FrequentSeed> frequent_;
};

}  // namespace warpseed::cuda
