// Which anchors of a chain its path goes through. In tandem repeats a chain gains anchors by pairs of gaps that cost an
// alignment more than these anchors are worth. Without them the DP of the joint decides, which may still take them.
#pragma once

#include <cstdint>

#include "align/long_reads/chain_joints_core.hpp"

namespace warpseed::align {

/// How far the diagonals of two anchors are apart.
WS_HD inline std::int64_t diagonals_apart(const Anchor& a, const Anchor& b) {
  const std::int64_t apart = a.diagonal() - b.diagonal();
  return apart < 0 ? -apart : apart;
}

/// The best paths to the anchors of a chain.
class ChainPath {
 public:
  /// scores, previous: [count of the chain] of what is computed.
  WS_HD ChainPath(const Anchor* chain, const LongScoring& scoring, std::int32_t* scores, std::uint32_t* previous)
      : chain_(chain), scoring_(scoring), scores_(scores), previous_(previous) {}

  /// Computes the best path to anchor i; those to all before must be known.
  WS_HD void reach(std::uint32_t i) {
    scores_[i] = -lost_at_ends_, previous_[i] = i;
    if (i > 0) {
      const std::int32_t score = scores_[i - 1] - cost(chain_[i - 1], chain_[i]);
      if (score > scores_[i] || lost_at_ends_ >= most_lost) scores_[i] = score, previous_[i] = i - 1;
      if (diagonals_apart(chain_[i - 1], chain_[i]) >= least_change) skip_detours(i);
    }
    scores_[i] += worth(chain_[i]);
    lost_at_ends_ = lost_with(lost_at_ends_, chain_[i]);
  }

  /// The anchor that the best path through a chain of `count` anchors ends with.
  WS_HD std::uint32_t best_end(std::uint32_t count) const {
    std::uint32_t best = count - 1;
    std::int32_t lost = 0, highest = scores_[best];
    for (std::uint32_t i = count - 1; i-- > 0 && lost < most_lost;) {
      lost = lost_with(lost, chain_[i + 1]);
      if (scores_[i] - lost > highest) highest = scores_[i] - lost, best = i;
    }
    return best;
  }

 private:
  static constexpr std::int64_t least_change = 3;     // of the diagonal; less is by scattered errors
  static constexpr std::int64_t sure_change = 15;     // that is taken back: a detour, whatever its anchors are worth
  static constexpr std::int64_t furthest = 500;       // bases between the anchors on either side of a detour
  static constexpr std::uint32_t most_skipped = 16;   // anchors
  static constexpr std::int32_t most_lost = 1 << 10;  // more than any change of the diagonal costs

  /// What an anchor is worth to a path: without it most of its bases match as well.
  WS_HD std::int32_t worth(const Anchor& anchor) const {
    return static_cast<std::int32_t>(anchor.length) * scoring_.match / 4;
  }

  /// The cost of a change of diagonal, but for what scattered errors between the anchors explain, as in chains.
  WS_HD std::int32_t cost(const Anchor& a, const Anchor& b) const {
    const std::int64_t between = std::int64_t{b.query_begin} - a.query_end();
    const std::int64_t unexplained = diagonals_apart(a, b) - (between > 0 ? between / 8 : 0);
    return unexplained > 0 ? path_gap_cost(scoring_, static_cast<std::uint32_t>(unexplained)) : 0;
  }

  /// What is lost when an end of the chain is left out, another anchor included: all but what it would be worth. So it is
  /// left out if all its bases score less than the gap to it costs, which is less than where the sum ends.
  WS_HD std::int32_t lost_with(std::int32_t lost, const Anchor& anchor) const {
    return lost < most_lost ? lost + static_cast<std::int32_t>(anchor.length) * scoring_.match - worth(anchor) : lost;
  }

  /// Tries paths to anchor i that leave out those just before it, if the DP of the joint may reach them.
  WS_HD void skip_detours(std::uint32_t i) {
    const Anchor& anchor = chain_[i];
    std::int64_t lowest = chain_[i - 1].diagonal(), highest = lowest;
    std::int32_t skipped = 0;
    for (std::uint32_t j = i - 1; j-- > 0 && i - j <= most_skipped + 1;) {
      const Anchor& from = chain_[j];
      const std::int64_t apart = std::int64_t{anchor.query_begin} - from.query_end();
      if (apart > furthest) break;
      skipped += worth(chain_[j + 1]);
      lowest = chain_[j + 1].diagonal() < lowest ? chain_[j + 1].diagonal() : lowest;
      highest = chain_[j + 1].diagonal() > highest ? chain_[j + 1].diagonal() : highest;
      if (apart <= 0 || anchor.genome_begin <= from.genome_end()) continue;
      const std::int64_t spare = spare_of(static_cast<std::uint64_t>(apart));
      if (highest - from.diagonal() > spare || from.diagonal() - lowest > spare) continue;
      const std::int64_t left_by = diagonals_apart(from, chain_[j + 1]);
      const bool is_back = left_by >= sure_change && 2 * diagonals_apart(from, anchor) <= left_by;
      const std::int32_t score = scores_[j] - cost(from, anchor) + (is_back ? skipped : 0);
      if (score > scores_[i]) scores_[i] = score, previous_[i] = j;
    }
  }

  const Anchor* const chain_;
  const LongScoring& scoring_;
  std::int32_t* const scores_;
  std::uint32_t* const previous_;
  std::int32_t lost_at_ends_ = 0;  // by a path that begins after the anchors so far
};

/// Sets next: [count] to the anchor after each on the best path; of those that are not on it, it is undefined. scores:
/// [count] scratch. Returns the path's ends. O(count) where diagonals hardly change, at most 17 times as much.
WS_HD inline ChainPathEnds choose_path(const Anchor* chain, std::uint32_t count, const LongScoring& scoring,
                                       std::int32_t* scores, std::uint32_t* next) {
  ChainPath path(chain, scoring, scores, next);
  for (std::uint32_t i = 0; i < count; ++i) path.reach(i);
  const std::uint32_t last = path.best_end(count);
  // What was the anchor before becomes the one after, from the last anchor on.
  for (std::uint32_t i = last, after = last;;) {
    const std::uint32_t before = next[i];
    next[i] = after, after = i;
    if (before == i) return {i, last};
    i = before;
  }
}

}  // namespace warpseed::align
