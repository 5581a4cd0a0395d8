// Several extensions of a seed search at a time: device threads extend together and decide together.
#pragma once

#include <cstdint>

#include "align/seed/seed_core.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

/// Extensions of a match that only its rows can end.
struct StepsAhead {
  std::uint64_t bases = 0;  // the bases before it, the nearest one in the lowest bits
  std::uint32_t count = 0;
};

/// The extensions ahead of a search at SeedStep::extend: at least 1, at most 32.
WS_HD inline StepsAhead steps_ahead(const SeedSearch& search) {
  const Seed& match = search.match;
  const auto before = [&](const text::PackedView& packed) {
    return match.begin >= 32 ? packed.window(match.begin - 32) : packed.window(0) >> (64 - 2 * match.begin);
  };
  const auto smaller = [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; };
  const std::uint32_t known = search.all_known ? 32 : trailing_zeros(before(search.read.unknown)) / 2;
  std::uint32_t most = smaller(known, match.begin - search.pass.floor);
  if (search.probe > 0) most = smaller(most, search.aside->min_length - search.probe - match.length());
  if (search.round == SeedRound::windows && search.probe == 0) most = smaller(most, next_look(search) - match.length());
  return {before(search.read.bases), most};
}

/// Does one of them. If decide_step() has to decide next, none is left.
WS_HD inline void extend_ahead(const index::FmView& fm, const SeedRules& rules, SeedSearch& search, StepsAhead& ahead) {
  extend_match(fm, static_cast<unsigned>(ahead.bases & 3), search);
  const Seed& match = search.match;
  const std::uint64_t few = search.round == SeedRound::rare ? rules.rare_rows
                            : wants_rare_window(search)     ? rules.reseed_rows
                                                            : 1;
  const bool decides = search.broken || (match.length() >= rules.min_length && match.rows.count() <= few);
  ahead = {ahead.bases >> 2, decides ? 0 : ahead.count - 1};
}

}  // namespace warpseed::align
