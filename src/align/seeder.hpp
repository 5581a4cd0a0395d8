// The CPU's hit finder: all seeds of a group of reads searched side by side, then all their places located so.
//
// One search waits for memory at every step. Many on their way at a time, each step announced one round ahead, wait for
// it together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/hit_core.hpp"
#include "align/hit_finder.hpp"
#include "align/seed_core.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// Groups of some dozen reads keep its memory in the caches.
class Seeder : public HitFinder {
 public:
  Seeder(const FmView& fm, const GenomeView& genome, const AlignOptions& options)
      : fm_(fm), genome_(genome), options_(options), rules_(seed_rules(fm, options)) {}

  void find(std::span<PlacedRead> reads, StageTimes& times) override;

 private:
  /// A seed and the search it comes from: 2 * read + (1 for the reverse strand).
  struct FoundSeed {
    Seed seed;
    std::uint32_t search = 0;
  };
  /// A row on its way to the text position of hits_[hit].
  struct HitWalk {
    Walk walk;
    std::uint64_t hit = 0;
  };

  void find_seeds(std::span<const PlacedRead> reads);
  void note_traits(std::span<PlacedRead> reads) const;
  void lay_out_hits(std::size_t read_count);
  void add_hits(const FoundSeed& found, std::uint64_t first);
  void locate_hits();

  const FmView& fm_;
  const GenomeView& genome_;
  const AlignOptions& options_;
  const SeedRules rules_;
  std::vector<FoundSeed> seeds_;
  std::vector<HitWalk> walks_;  // to be made
};

}  // namespace warpseed
