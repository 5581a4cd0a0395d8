// Where the seeds of many reads lie: the first stages of alignment, on one backend. A batch_placer.hpp has these stages
// within; here they can be looked at alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/chain_core.hpp"
#include "align/placed_read.hpp"
#include "align/stage_times.hpp"
#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// Finds the seeds of reads (seed_core.hpp) and their places. Every backend finds the same.
///
/// Cost:    some hundred rank queries a read, and sample_step / 2 for each hit.
/// Memory:  32 bytes a hit. Kept from group to group.
/// Threads: one finder a thread; finders may share an index.
class HitFinder {
 public:
  virtual ~HitFinder() = default;

  /// Finds the hits of every read of the group and fills reads[i].traits. Of a seed with more than
  /// options.max_occurrences places so many evenly spread ones are followed.
  /// Throws BackendError if the device fails, std::invalid_argument for a read of more than 2^15 - 1 bases on a device.
  virtual void find(std::span<PlacedRead> reads, StageTimes& times) = 0;

  /// Of the group's read i, in no particular order; the caller may sort them.
  std::span<Hit> hits(std::size_t i) { return {hits_.data() + hit_begins_[i], hit_begins_[i + 1] - hit_begins_[i]}; }

 protected:
  std::vector<std::uint64_t> hit_begins_;  // [reads + 1]
  std::vector<Hit> hits_;                  // by read
};

/// `fm`, `genome` and `options` must outlive the finder. Throws BackendError if the index does not fit the device.
/// narrow_rows: an index with more rows has a device sort hits by wider keys, with the same result; tests lower it.
std::unique_ptr<HitFinder> make_hit_finder(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                           const Backend& backend, std::uint64_t narrow_rows = narrow_limit);

}  // namespace warpseed
