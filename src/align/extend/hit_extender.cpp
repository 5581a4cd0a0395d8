#include "align/extend/hit_extender.hpp"

#include "align/extend/extend_hit_core.hpp"
#include "align/extend/ungapped_core.hpp"

namespace warpseed::align {

namespace {

/// Runs the DP of an extension in SIMD lanes.
struct SimdExtender : GenomeWindow {
  SimdScratch* scratch;

  SimdExtender(std::uint8_t* window, SimdScratch* lanes) : GenomeWindow{window}, scratch(lanes) {}

  bool gap_may_win(const GapSearch& search, const Strand& query, const Strand& genome) const {
    constexpr std::int32_t most = 20;  // for larger losses the SIMD DP is as fast as this test
    return search.loss > most || align::gap_may_win(search, query, genome);
  }
  Extension banded(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                   const Scoring& scoring) const {
    return extend_simd(query, genome, start_score, band, scoring, *scratch);
  }
};

}  // namespace

LocalAlignment HitExtender::extend(const PackedRead& read, const SeedHit& hit, const GapLimits& limits) {
  const auto length = static_cast<std::int32_t>(read.length());
  const auto reach = static_cast<std::size_t>(genome_reach(length, options_.band, options_.scoring));
  if (window_.size() < reach) window_.resize(reach);
  const SimdExtender simd(window_.data(), &lanes_);
  const PackedStrand strand = read.packed(hit.reverse);
  const HitContext context(genome_, hit);
  return grow_hit(hit, read.length(), options_.scoring, [&](bool leftwards, std::int32_t start_score) {
    Extension ends;
    if (try_extend_ungapped(genome_.text, strand, hit, context, leftwards, start_score, limits, options_.scoring,
                            ends)) {
      return ends;
    }
    return extend_hit_side(genome_, read.codes(hit.reverse), read.length(), hit, leftwards, start_score, limits,
                           options_.scoring, simd);
  });
}

}  // namespace warpseed::align
