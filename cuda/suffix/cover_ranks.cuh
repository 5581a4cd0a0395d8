// Ranks of the suffixes at the positions of a difference cover, which allow any two suffixes to be compared.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"
#include "suffix/difference_cover.hpp"
#include "suffix/key_layout.cuh"
#include "suffix/ranks.cuh"

namespace warpseed::suffix::cuda {

/// Kernel view for comparing suffixes; owns nothing.
struct CoverRanksView {
  const DifferenceCover* cover = nullptr;  // on the device
  RanksView ranks;                         // by slot

  /// Whether suffix a is smaller than suffix b, given equal keys.
  __device__ bool less(const DeviceTextView& text, const KeyLayout& layout, TextPos a, TextPos b) const {
    const unsigned a_ahead = symbols_before_separator(text, a, layout.symbols),
                   b_ahead = symbols_before_separator(text, b, layout.symbols);
    if (a_ahead != b_ahead) return a_ahead < b_ahead;  // with equal keys the rest of the longer one is all A
    if (a_ahead < layout.symbols) return a < b;        // both end here: the earlier separator is the smaller
    const unsigned step = cover->step(a, b);
    return ranks[cover->slot(a + step)] < ranks[cover->slot(b + step)];
  }
};

/// Owns the ranks, or in a team a slice of them: 0.78 bytes per base. Of at most narrow_limit suffixes: of a genome of 22 billion bases.
class CoverRanks {
 public:
  /// Sorts the suffixes of the cover with the longest period that a key spans, by prefix doubling.
  ///
  /// Every member must construct one. Memory: cover_sorting_bytes().
  CoverRanks(const DeviceText& text, std::uint64_t memory_bytes, const TeamMember& member, const StageDone& done);

  CoverRanksView view() const { return {cover_.data(), ranks_.view}; }

 private:
  Buffer<DifferenceCover> cover_;
  Ranks ranks_;
};

/// Suffixes of the cover.
std::uint64_t cover_slots(const DeviceText& text);

/// Memory of a device in addition to the text: while the cover's suffixes are sorted, and for their ranks.
std::uint64_t cover_sorting_bytes(const DeviceText& text, std::uint64_t segments, unsigned team_size);
std::uint64_t cover_rank_bytes(const DeviceText& text, unsigned team_size);

}  // namespace warpseed::suffix::cuda
