// Seeding on the CPU: finds all seeds of a group of reads in interleaved searches, then locates their occurrences.
//
// One search waits for memory at every step. Interleaved searches, each step prefetched one round ahead, overlap these
// waits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/chain/chain_core.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "align/seed/row_walks.hpp"
#include "align/seed/seed_core.hpp"
#include "align/seed/seed_hit_core.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Finds the seeds of reads (seed_core.hpp) and their positions. With groups of some dozen reads, its memory stays in
/// the caches.
///
/// Cost:    some hundred rank queries per read, and sample_step / 2 for each hit.
/// Memory:  32 bytes per hit. Reused for all groups.
/// Threads: one seeder per thread; seeders may share an index.
class Seeder {
 public:
  /// All three must outlive it.
  Seeder(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options)
      : fm_(fm), genome_(genome), options_(options), rules_(seed_rules(fm, options)) {}

  /// Finds the hits of every read of the group and fills reads[i].traits. Of a seed with more than
  /// options.max_occurrences occurrences, that many evenly spaced ones are used.
  void find(std::span<ReadAlignments> reads, StageTimes& times);

  /// The hits of the group's read i, in no particular order; the caller may sort them.
  std::span<SeedHit> hits(std::size_t i) {
    return {hits_.data() + hit_begins_[i], hit_begins_[i + 1] - hit_begins_[i]};
  }

 private:
  /// A seed and its search: 2 * read + (1 for the reverse strand).
  struct FoundSeed {
    Seed seed;
    std::uint32_t search = 0;
  };
  void find_seeds(std::span<const ReadAlignments> reads);
  void note_traits(std::span<ReadAlignments> reads) const;
  void lay_out_hits(std::size_t read_count);
  void add_hits(const FoundSeed& found, std::uint64_t first);
  void locate_hits();

  const index::FmView& fm_;
  const text::GenomeView& genome_;
  const AlignOptions& options_;
  const SeedRules rules_;
  std::vector<FoundSeed> seeds_;
  std::vector<RowWalk> walks_;             // pending, of hits_
  std::vector<std::uint64_t> hit_begins_;  // [reads + 1]
  std::vector<SeedHit> hits_;              // by read
};

}  // namespace warpseed::align
