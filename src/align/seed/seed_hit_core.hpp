// From a seed to its hits: which of its occurrences are used, and their positions.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/chain/chain_core.hpp"
#include "align/seed/seed_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// The number of a seed's occurrences that are used.
WS_HD inline std::uint64_t used_occurrences(const Seed& seed, const AlignOptions& options) {
  const std::uint64_t count = seed.rows.count();
  return count < options.max_occurrences ? count : options.max_occurrences;
}

/// The row of the i-th occurrence used: all, or evenly spaced ones.
WS_HD inline Row used_row(const Seed& seed, const AlignOptions& options, std::uint64_t i) {
  const std::uint64_t count = seed.rows.count();
  return seed.rows.begin + i * (count > options.max_occurrences ? count / options.max_occurrences : 1);
}

/// A hit of a seed, before its position is known.
WS_HD inline SeedHit hit_of(const Seed& seed, bool reverse, const SeedRules& rules) {
  SeedHit hit;
  hit.query_begin = seed.begin;
  hit.length = seed.length();
  hit.reverse = reverse;
  hit.rare = seed.rows.count() <= rules.few_rows;
  return hit;
}

/// Does a seed have more occurrences than are used?
WS_HD inline bool is_frequent(const Seed& seed, const AlignOptions& options) {
  return seed.rows.count() > options.max_occurrences;
}

/// An interval of a read as sequenced.
struct ReadStretch {
  std::uint32_t begin = 0, end = 0;
};

WS_HD inline ReadStretch stretch_of(const Seed& seed, bool reverse, std::uint32_t read_length) {
  const std::uint32_t begin = read_begin(reverse, seed.begin, seed.end, read_length);
  return {begin, begin + seed.length()};
}

/// The number of read bases under any of `count` intervals, stretch(i) each. O(count) for every gap between them.
template <class StretchAt>
WS_HD inline std::uint32_t covered_bases(std::uint32_t count, StretchAt stretch) {
  std::uint32_t covered = 0, done = 0;  // bases before `done` are counted
  for (;;) {
    ReadStretch next;  // the leftmost one after `done`, the longest of equals
    for (std::uint32_t i = 0; i < count; ++i) {
      ReadStretch mine = stretch(i);
      if (mine.begin < done) mine.begin = done;
      if (mine.end <= mine.begin) continue;
      if (next.end == 0 || mine.begin < next.begin || (mine.begin == next.begin && mine.end > next.end)) next = mine;
    }
    if (next.end == 0) return covered;
    covered += next.end - next.begin;
    done = next.end;
  }
}

/// Moves and shortens the hit if it leaves its segment, as a hit of a forged index may.
WS_HD inline void put_at(SeedHit& hit, TextPos position, const text::GenomeView& genome) {
  const text::SegmentPosition found = text::within_segment(genome, position);
  if (hit.length > found.rest) hit.length = static_cast<std::uint32_t>(found.rest);
  hit.genome_begin = genome.segments[found.segment].genome_begin + found.offset;
  hit.contig = static_cast<std::uint32_t>(text::contig_at(genome, hit.genome_begin));
}

}  // namespace warpseed::align
