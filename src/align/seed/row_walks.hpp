// Locates many suffix array rows, in interleaved walks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/interleave.hpp"
#include "index/fm_core.hpp"

namespace warpseed::align {

/// A row to locate, and whose it is.
struct RowWalk {
  index::Walk walk;
  std::uint64_t owner = 0;
};

/// Calls found(owner, text position) for every walk, in no particular order.
template <class Found>
void follow_walks(const index::FmView& fm, std::span<const RowWalk> walks, Found found) {
  constexpr std::size_t walks_at_a_time = 32;  // short steps: more of them fit between a prefetch and its use
  std::size_t next = 0;
  const auto refill = [&](RowWalk& lane) {
    if (next == walks.size()) return false;
    lane = walks[next++];
    index::prefetch_row(fm, lane.walk.row);
    return true;
  };
  interleave<RowWalk, walks_at_a_time>(refill, [&](RowWalk& lane) {
    TextPos position = 0;
    const bool located = index::step_back(fm, lane.walk, position);
    located ? found(lane.owner, position) : index::prefetch_row(fm, lane.walk.row);
    return located;
  });
}

}  // namespace warpseed::align
