// The ranking of one read's alignments by all lanes of a warp.
#pragma once

#include <cstdint>

#include "align/select/rank_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// Counts the lanes' alignments as competitors of their winners, as count_competitor() does one after the other.
/// competitor: the winner that this lane's alignment competes with, or no_alignment.
__device__ inline void count_competitors(Alignment* alignments, std::int32_t competitor, std::int32_t score,
                                         std::int32_t near) {
  for (unsigned rest = __ballot_sync(all_lanes, competitor != no_alignment); rest != 0;) {
    const std::int32_t winner = __shfl_sync(all_lanes, competitor, __ffs(static_cast<int>(rest)) - 1);
    Alignment& best = alignments[winner];
    const unsigned scored = __ballot_sync(all_lanes, competitor == winner && score != 0);
    const unsigned near_by = __ballot_sync(all_lanes, competitor == winner && best.score - score <= near);
    const std::int32_t second = __shfl_sync(all_lanes, score, scored != 0 ? __ffs(static_cast<int>(scored)) - 1 : 0);
    if (lane_id() == 0) {
      if (best.second_score == 0 && scored != 0) best.second_score = second;
      best.second_count += static_cast<std::uint32_t>(__popc(near_by));
    }
    __syncwarp();
    rest &= ~__ballot_sync(all_lanes, competitor == winner);
  }
}

/// mark_competitors() by all lanes: 32 alignments at a time, one per lane, search for the first winner that they
/// compete with. With alignments to ALT contigs one lane does all.
__device__ inline void mark_competitors_by_warp(Alignment* alignments, std::uint32_t count, std::uint32_t read_length,
                                                const Scoring& scoring) {
  bool alt = false;
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) {
    Alignment& mine = alignments[i];
    mine.second_score = 0, mine.second_count = 0, mine.alt_score = 0;
    mine.secondary_to = mine.alternative_of = no_alignment;
    alt = alt || mine.alt;
  }
  __syncwarp();
  if (__any_sync(all_lanes, alt)) {
    if (lane_id() == 0) mark_competitors(alignments, count, read_length, scoring);
    __syncwarp();
    return;
  }
  for (std::uint32_t first = 0; first < count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const bool is_one = i < count;
    const Alignment mine = alignments[is_one ? i : first];
    std::int32_t competitor = no_alignment;
    const auto ask = [&](std::uint32_t winner, bool wanted) {
      if (wanted && is_one && competitor == no_alignment && compete(mine, alignments[winner], read_length))
        competitor = static_cast<std::int32_t>(winner);
      __syncwarp();
    };
    for (std::uint32_t before = 0; before < first; before += warp_threads) {
      unsigned winners = __ballot_sync(all_lanes, alignments[before + lane_id()].secondary_to == no_alignment);
      for (; winners != 0; winners &= winners - 1)
        ask(before + static_cast<unsigned>(__ffs(static_cast<int>(winners))) - 1, true);
    }
    for (unsigned rest = __ballot_sync(all_lanes, is_one && competitor == no_alignment); rest != 0;) {
      const auto lane = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
      ask(first + lane, lane_id() > lane);
      rest = __ballot_sync(all_lanes, is_one && competitor == no_alignment) & ~((2U << lane) - 1U);
    }
    if (competitor != no_alignment) alignments[i].secondary_to = alignments[i].alternative_of = competitor;
    __syncwarp();
    count_competitors(alignments, competitor, mine.score, near_score(scoring));
  }
}

/// True if one of the ranked alignments [0, count) is at the same position as this lane's `mine`, see same_position(),
/// or if the lane is not `open`. Compares only alignments with nearby begins.
__device__ inline bool has_duplicate(const Alignment* ranked, std::uint32_t count, const Alignment& mine, bool open) {
  const auto span_of = [](const Alignment& one) {
    return static_cast<std::uint32_t>(one.genome_end - one.genome_begin);
  };
  bool found = !open;
  for (std::uint32_t first = 0; first < count && !__all_sync(all_lanes, found); first += warp_threads) {
    const std::uint32_t some = min(count - first, warp_threads);
    const Alignment& one = ranked[first + min(lane_id(), some - 1)];
    const std::uint32_t span = __reduce_max_sync(all_lanes, max(span_of(one), span_of(mine)));
    unsigned asked = lanes_before(static_cast<std::uint32_t>(one.genome_begin), 2 * span,
                                  static_cast<std::uint32_t>(mine.genome_begin) + span) &
                     first_lane_mask(some);
    while (!found && asked != 0) found = same_position(mine, ranked[first + pop_lowest_lane(asked)]);
  }
  return found;
}

/// Drops alignments [0, count) at the position of a better one, as rank_alignments() does. Returns the number that
/// remain.
__device__ inline std::uint32_t drop_duplicates_by_warp(Alignment* ranked, std::uint32_t count) {
  std::uint32_t kept = 0;
  for (std::uint32_t first = 0; first < count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const Alignment mine = ranked[i < count ? i : first];
    bool fresh = !has_duplicate(ranked, kept, mine, i < count);
    for (unsigned rest = __ballot_sync(all_lanes, fresh); rest != 0;) {
      const auto lane = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
      if (lane_id() > lane) fresh = fresh && !same_position(mine, ranked[first + lane]);
      rest = __ballot_sync(all_lanes, fresh) & ~((2U << lane) - 1U);
    }
    const unsigned stay = __ballot_sync(all_lanes, fresh);
    if (fresh) ranked[kept + static_cast<unsigned>(__popc(stay & lower_lane_mask()))] = mine;
    kept += static_cast<unsigned>(__popc(stay));
    __syncwarp();
  }
  return kept;
}

/// Alignments with different keys rank like their keys. A key holds what ranks_before() compares first: ALT, score,
/// clip penalty and, if these fit, the upper half of the tie break hash.
__device__ inline std::uint64_t rank_key(const Alignment& one) {
  constexpr std::int32_t max_score = 0x7FFF, max_clip_penalty = 0xFFFF;
  const bool exact =
      one.score >= 0 && one.score < max_score && one.clip_penalty >= 0 && one.clip_penalty < max_clip_penalty;
  const auto score = static_cast<std::uint64_t>(max(0, min(one.score, max_score)));
  const auto loss = static_cast<std::uint64_t>(max(0, min(one.clip_penalty, max_clip_penalty)));
  return std::uint64_t{one.alt} << 63 | (max_score - score) << 48 | loss << 32 | (exact ? one.tie >> 32 : 0);
}

/// The number of alignments [0, count) that rank before the i-th one, this lane's `mine`.
__device__ inline std::uint32_t rank_of(const Alignment* alignments, std::uint32_t count, std::uint32_t i,
                                        const Alignment& mine) {
  const std::uint64_t key = rank_key(mine);
  std::uint32_t rank = 0;
  for (std::uint32_t first = 0; first < count; first += warp_threads) {
    const std::uint32_t some = min(count - first, warp_threads);
    const std::uint64_t other_key = rank_key(alignments[first + min(lane_id(), some - 1)]);
    unsigned before = 0, equal = 0;
#pragma unroll
    for (unsigned j = 0; j < warp_threads; ++j) {
      const std::uint64_t other = __shfl_sync(all_lanes, other_key, static_cast<int>(j));
      if (other < key) before |= 1U << j;
      if (other == key) equal |= 1U << j;
    }
    rank += static_cast<std::uint32_t>(__popc(before & first_lane_mask(some)));
    for (equal &= first_lane_mask(some); equal != 0;) {
      const std::uint32_t j = first + pop_lowest_lane(equal);
      if (j == i) continue;
      const bool is_before = ranks_before(alignments[j], mine);
      rank += is_before || (j < i && !ranks_before(mine, alignments[j])) ? 1 : 0;
    }
    __syncwarp();
  }
  return rank;
}

/// break_ties() by all lanes, each with some of the tie break hashes.
__device__ inline void break_ties_by_warp(Alignment* ranked, std::uint32_t count, std::uint64_t read_number) {
  if (!is_tie_break_winner(ranked, count)) return;
  LowestTieBreak lowest =
      lowest_tie_break(ranked, best_alignments(ranked, count), read_number, lane_id(), warp_threads);
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) {
    lowest.add({__shfl_xor_sync(all_lanes, lowest.index, static_cast<int>(step)),
                __shfl_xor_sync(all_lanes, lowest.tie_break, static_cast<int>(step))});
  }
  __syncwarp();  // all lanes have read what one lane writes now
  if (lane_id() == 0) swap_to_front(ranked, lowest.index);
  __syncwarp();
}

/// rank_alignments() and mark_competitors() by all lanes, into `ranked`. Each lane computes the ranks of some
/// alignments. Returns the number that remain.
__device__ inline std::uint32_t rank_by_warp(const Alignment* alignments, std::uint32_t count,
                                             std::uint32_t read_length, std::uint64_t read_number,
                                             const Scoring& scoring, Alignment* ranked) {
  for (std::uint32_t first = 0; first < count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    const Alignment mine = alignments[min(i, count - 1)];
    const std::uint32_t rank = rank_of(alignments, count, i, mine);
    if (i < count) ranked[rank] = mine;
  }
  __syncwarp();
  const std::uint32_t kept = drop_duplicates_by_warp(ranked, count);
  break_ties_by_warp(ranked, kept, read_number);
  mark_competitors_by_warp(ranked, kept, read_length, scoring);
  return kept;
}

}  // namespace warpseed::align::cuda
