// Extends hits on the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/chain/chain_core.hpp"
#include "align/extend/simd_banded_dp.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Extends a side of a hit from packed words where a gap certainly cannot pay, which most do, else by DP in SIMD lanes.
/// Reuses its scratch memory for all hits. Threads: one extender per thread.
class HitExtender {
 public:
  /// Both must outlive it.
  HitExtender(const text::GenomeView& genome, const AlignOptions& options) : genome_(genome), options_(options) {}

  /// As extend_hit().
  LocalAlignment extend(const PackedRead& read, const SeedHit& hit, const GapLimits& limits);

 private:
  const text::GenomeView& genome_;
  const AlignOptions& options_;
  std::vector<std::uint8_t> window_;
  SimdScratch lanes_;
};

}  // namespace warpseed::align
