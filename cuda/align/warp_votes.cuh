// Votes for the diagonals on which a mate may lie, counted by all lanes of a warp.
//
// As rescue_core.hpp counts them by words, with the same results: a lane compares 32 bases of a diagonal at a time, which
// needs no table.
#pragma once

#include <cstdint>

#include "align/rescue_core.hpp"
#include "align/warp.cuh"

namespace warpseed::cuda {

/// Where votes are counted: the bits of the mate and of the window that it is looked for in, which words of the mate have
/// a vote, and the votes of all diagonals.
struct VoteRoom {
  CodeBits mate, window;
  std::uint32_t* voters;  // [words of the mate, the ones before and behind it left out]
  std::uint16_t* votes;   // [diagonals]

  __host__ __device__ static std::uint64_t words(std::uint32_t length, std::uint32_t window_length) {
    return 3 * CodeBits::words_of(length) + 3 * CodeBits::words_of(window_length) + length / 32 + 1 +
           (std::uint64_t{length} + window_length) / 2 + 1;
  }

  /// memory: [words()]
  __device__ VoteRoom(std::uint32_t* memory, std::uint32_t length, std::uint32_t window_length) {
    const auto bits_of = [&](std::uint32_t bases) {
      const std::uint32_t count = CodeBits::words_of(bases);
      const CodeBits bits = {memory, memory + count, memory + 2 * count, bases};
      memory += 3 * count;
      return bits;
    };
    mate = bits_of(length), window = bits_of(window_length);
    voters = memory;
    votes = reinterpret_cast<std::uint16_t*>(memory + length / 32 + 1);
  }

  __device__ std::uint32_t diagonals() const { return mate.length + window.length; }
};

/// Writes the codes of 32 bases, a lane's each, to the word in which base `first` stands.
__device__ inline void put_codes(const CodeBits& bits, std::uint32_t first, std::uint8_t code) {
  const std::uint32_t low = __ballot_sync(all_lanes, (code & 1) != 0), high = __ballot_sync(all_lanes, (code & 2) != 0);
  const std::uint32_t unknown = __ballot_sync(all_lanes, code > 3), word = first / 32 + 1;
  if (lane_id() == 0) bits.low[word] = low, bits.high[word] = high, bits.unknown[word] = unknown;
}

/// The words before the first base and behind the last.
__device__ inline void put_ends(const CodeBits& bits) {
  const std::uint32_t behind = (bits.length + 31) / 32 + 1, count = CodeBits::words_of(bits.length);
  const std::uint32_t word = lane_id() == 0 ? 0 : behind + lane_id() - 1;
  if (word < count) bits.low[word] = bits.high[word] = 0, bits.unknown[word] = ~0U;
}

/// Which words of the mate have a vote, see may_vote(): all, unless it repeats itself on many diagonals.
__device__ __noinline__ inline void find_voters(const VoteRoom& room) {
  const std::uint32_t length = room.mate.length;
  for (std::uint32_t i = lane_id(); i <= length / 32; i += warp_threads) room.voters[i] = ~0U;
  __syncwarp();
  std::uint32_t repeats = 0;
  for (std::uint32_t first = 1; first < length; first += warp_threads) {
    const std::uint32_t shift = first + lane_id();
    const bool equal = shift < length && votes_for(room.mate, room.mate, room.voters, length + shift) > 0;
    repeats += __popc(__ballot_sync(all_lanes, equal));
  }
  if (repeats < word_copies) return;
  for (std::uint32_t first = 0; first < length; first += warp_threads) {
    const std::uint32_t voters = __ballot_sync(all_lanes, may_vote(room.mate, first + lane_id()));
    if (lane_id() == 0) room.voters[first / 32] = voters;
  }
  __syncwarp();
}

/// As count_votes(), a lane a diagonal.
__device__ __noinline__ inline void count_votes_by_warp(const VoteRoom& room) {
  for (std::uint32_t i = lane_id(); i < room.diagonals(); i += warp_threads)
    room.votes[i] = static_cast<std::uint16_t>(votes_for(room.mate, room.window, room.voters, i));
  __syncwarp();
}

/// As best_diagonal().
__device__ inline std::uint32_t best_diagonal_by_warp(const VoteRoom& room) {
  std::uint64_t best = 0;  // votes, and the complement of the diagonal
  for (std::uint32_t i = lane_id(); i < room.diagonals(); i += warp_threads) {
    const std::uint64_t mine = std::uint64_t{room.votes[i]} << 32 | (~i & 0xFFFFFFFFU);
    if (mine > best) best = mine;
  }
  best = largest_of_warp(best);
  return ~static_cast<std::uint32_t>(best);
}

/// As longest_run().
__device__ inline ExactRun longest_run_by_warp(const VoteRoom& room, std::uint32_t diagonal) {
  std::uint32_t best = 0;  // length, and the complement of where it begins
  for (std::uint32_t i = lane_id(); i < room.mate.length; i += warp_threads) {
    const std::uint32_t mine = run_from(room.mate, room.window, i, diagonal) << 16 | (0xFFFFU - i);
    if (mine > best) best = mine;
  }
  best = __reduce_max_sync(all_lanes, best);
  const std::uint32_t begin = 0xFFFFU - (best & 0xFFFFU);
  return {begin, begin + diagonal - room.mate.length, best >> 16};
}

/// The longest exact runs on the diagonals that are looked at; returns how many. Clears their votes.
__device__ __noinline__ inline unsigned promising_runs(const VoteRoom& room, ExactRun (&runs)[rescued_places]) {
  std::uint32_t least = 1;
  unsigned found = 0;
  for (; found < rescued_places; ++found) {
    const std::uint32_t best = best_diagonal_by_warp(room), votes = room.votes[best];
    if (votes < least) break;
    if (found == 0) least = fewest_votes(votes);
    runs[found] = longest_run_by_warp(room, best);
    __syncwarp();
    const std::uint32_t apart = place_width(room.mate.length), begin = best + 1 > apart ? best + 1 - apart : 0;
    for (std::uint32_t i = begin + lane_id(); i < room.diagonals() && i < best + apart; i += warp_threads)
      room.votes[i] = 0;
    __syncwarp();
  }
  return found;
}

}  // namespace warpseed::cuda
