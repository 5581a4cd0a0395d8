// Votes for the diagonals of a mate, counted by all lanes of a warp.
//
// The results equal those of mate_rescue_core.hpp, which counts word matches. A lane handles the diagonals that begin
// at its bit of a word of the window. It shifts the window's words by its lane number and compares them with the mate's
// words, which all lanes hold in registers. This needs no table.
#pragma once

#include <cstdint>

#include "align/extend/warp_genome.cuh"
#include "align/pair/mate_rescue_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// The memory for counting votes: the bits of the mate and of the window that is searched, which words of the mate
/// vote, and the votes of all diagonals.
struct VoteMemory {
  CodeBits mate, window;
  std::uint32_t* voters;  // [words of the mate, without the padding words before and after it]
  std::uint16_t* votes;   // [diagonals, of the window or of the mate against itself]

  __host__ __device__ static std::uint64_t words(std::uint32_t length, std::uint32_t window_length) {
    const std::uint64_t longer = length > window_length ? length : window_length;
    return 3 * CodeBits::words_of(length) + 3 * CodeBits::words_of(window_length) + length / 32 + 1 +
           (length + longer) / 2 + 1;
  }

  /// memory: [words()]
  __device__ VoteMemory(std::uint32_t* memory, std::uint32_t length, std::uint32_t window_length) {
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

/// Writes 32 bases to the word of base `first`.
__device__ inline void put_word(const CodeBits& bits, std::uint32_t first, const BaseBits& bases,
                                std::uint32_t unknown) {
  const std::uint32_t word = first / 32 + 1, rest = bits.length - first;
  bits.low[word] = bases.low, bits.high[word] = bases.high;
  bits.unknown[word] = unknown | (rest < 32 ? ~0U << rest : 0);
}

/// Writes the padding words before the first base and after the last.
__device__ inline void put_ends(const CodeBits& bits) {
  const std::uint32_t after_last = (bits.length + 31) / 32 + 1, count = CodeBits::words_of(bits.length);
  const std::uint32_t word = lane_id() == 0 ? 0 : after_last + lane_id() - 1;
  if (word < count) bits.low[word] = bits.high[word] = 0, bits.unknown[word] = ~0U;
}

/// Writes the bits of a read, one lane per word.
__device__ inline void put_read(const CodeBits& bits, const PackedStrand& read) {
  put_ends(bits);
  for (std::uint32_t first = 32 * lane_id(); first < bits.length; first += 32 * warp_threads) {
    put_word(bits, first, bits_of_window(read.bases.words[first / 32]),
             bits_of_window(read.unknown.words[first / 32]).low);
  }
}

/// Writes the bits of a stretch of text without a separator, one lane per word.
__device__ inline void put_text(const CodeBits& bits, const text::PackedView& text, TextPos position) {
  put_ends(bits);
  for (std::uint32_t first = 32 * lane_id(); first < bits.length; first += 32 * warp_threads)
    put_word(bits, first, bits_of_window(window_branchless(text, position + first)), 0);
}

/// Writes the bits of a stretch of genome that may contain N, one lane per base.
__device__ inline void put_genome(const CodeBits& bits, const text::GenomeView& genome, GenomePos begin) {
  put_ends(bits);
  for_codes(genome, begin, bits.length, [&](std::uint32_t i, std::uint8_t code) {
    const BaseBits bases = {__ballot_sync(all_lanes, (code & 1) != 0), __ballot_sync(all_lanes, (code & 2) != 0)};
    const std::uint32_t unknown = __ballot_sync(all_lanes, code > 3);
    if (lane_id() == 0) put_word(bits, i, bases, unknown);
  });
}

/// Iterates over the words of a window, shifted by the lane's number.
class ShiftedWords {
 public:
  /// Begins at word `at`.
  __device__ ShiftedWords(const CodeBits& window, std::int32_t at)
      : window_(window), behind_(static_cast<std::int32_t>((window.length + 31) / 32 + 1)), next_(at + 1) {
    load();
  }

  /// Appends the next word and drops the first.
  __device__ void move(VoteWords& words) {
#pragma unroll
    for (std::uint32_t w = 0; w + 1 < vote_words; ++w)
      words.low[w] = words.low[w + 1], words.high[w] = words.high[w + 1], words.third[w] = words.third[w + 1];
    const std::uint32_t low = low_, high = high_, unknown = unknown_;
    ++next_;
    load();
    words.low[vote_words - 1] = __funnelshift_r(low, low_, lane_id());
    words.high[vote_words - 1] = __funnelshift_r(high, high_, lane_id());
    words.third[vote_words - 1] = __funnelshift_r(unknown, unknown_, lane_id());
  }

 private:
  __device__ void load() {
    const std::int32_t at = next_ < 0 ? 0 : next_ > behind_ ? behind_ : next_;
    low_ = window_.low[at], high_ = window_.high[at], unknown_ = window_.unknown[at];
  }

  const CodeBits window_;
  const std::int32_t behind_;  // there and at 0 are words of unknown bases
  std::int32_t next_;          // in memory
  std::uint32_t low_, high_, unknown_;
};

/// Words of a mate from `first` on. The last one votes only if no others follow; otherwise it is the continuation that
/// words before it need.
__device__ inline VoteWords words_of_mate(const CodeBits& mate, const std::uint32_t* voters, std::uint32_t first) {
  const std::uint32_t count = (mate.length + 31) / 32;
  VoteWords words;
#pragma unroll
  for (std::uint32_t w = 0; w < vote_words; ++w) {
    const std::uint32_t at = first + w < count ? first + w : count;
    const bool votes = at < count && (w + 1 < vote_words || at + 1 == count);
    words.low[w] = mate.low[at + 1], words.high[w] = mate.high[at + 1];
    words.third[w] = votes ? voters[at] : 0;
  }
  return words;
}

/// Which rows of diagonals, one diagonal per lane, have votes. Rows after the 63rd always count as having votes. For
/// other rows without votes none are written.
struct VoteRows {
  static constexpr std::uint32_t noted = 63;
  std::uint64_t filled = 0;
  std::uint32_t count = 0;

  __device__ bool has(std::uint32_t row) const { return row >= noted || (filled >> row & 1) != 0; }
  __device__ void add(std::uint32_t row) {
    if (row < noted) filled |= std::uint64_t{1} << row;
  }
  template <class Visit>
  __device__ void for_each(Visit visit) const {
    for (std::uint64_t left = filled; left != 0; left &= left - 1) visit(trailing_zeros(left));
    for (std::uint32_t row = noted; row < count; ++row) visit(row);
  }
};

/// count_votes(), one lane per diagonal, for the diagonals on which the mate begins at or after word `from` of the
/// window. The diagonals of a row begin at the same word.
__device__ __noinline__ inline VoteRows count_votes_by_warp(const CodeBits mate, const CodeBits window,
                                                            const std::uint32_t* voters, std::int32_t from,
                                                            std::uint16_t* votes) {
  const std::uint32_t mate_words = (mate.length + 31) / 32, diagonals = mate.length + window.length;
  VoteRows rows;
  rows.count = (window.length + 31) / 32 - static_cast<std::uint32_t>(from);
  for (std::uint32_t first = 0; first == 0 || first + 1 < mate_words; first += vote_words - 1) {
    const VoteWords words = words_of_mate(mate, voters, first);
    ShiftedWords shifted(window, from + static_cast<std::int32_t>(first));
    VoteWords window_words = {};
#pragma unroll
    for (std::uint32_t w = 0; w + 1 < vote_words; ++w) shifted.move(window_words);
#pragma unroll 5  // vote_words: the unrolled loop moves no words between registers
    for (std::uint32_t row = 0; row < rows.count; ++row) {
      shifted.move(window_words);
      bool any = false;
      const std::uint32_t found = votes_of(words, window_words, [&](std::uint32_t bits) {
        any = __any_sync(all_lanes, bits != 0);
        return any;
      });
      if (any || (first == 0 && row >= VoteRows::noted)) {
        const std::uint32_t i = mate.length + 32 * (static_cast<std::uint32_t>(from) + row) + lane_id();
        if (i < diagonals) votes[i] = static_cast<std::uint16_t>(first > 0 && rows.has(row) ? votes[i] + found : found);
        rows.add(row);
      }
    }
  }
  __syncwarp();
  return rows;
}

/// Finds the words of the mate that vote, see may_vote(): all without N, unless the mate repeats itself on many
/// diagonals.
__device__ inline void find_voters(const VoteMemory& room) {
  const CodeBits& mate = room.mate;
  for (std::uint32_t i = lane_id(); i <= mate.length / 32; i += warp_threads)
    room.voters[i] = known_words(mate.unknown[i + 1], mate.unknown[i + 2]);
  __syncwarp();
  std::uint32_t repeats = 0;
  count_votes_by_warp(mate, mate, room.voters, 0, room.votes).for_each([&](std::uint32_t row) {
    const std::uint32_t shift = 32 * row + lane_id();
    repeats += shift > 0 && shift < mate.length && room.votes[mate.length + shift] > 0 ? 1 : 0;
  });
  if (__reduce_add_sync(all_lanes, repeats) >= word_copies) {
    for (std::uint32_t first = 0; first < mate.length; first += warp_threads) {
      const std::uint32_t voters = __ballot_sync(all_lanes, may_vote(mate, first + lane_id()));
      if (lane_id() == 0) room.voters[first / 32] = voters;
    }
  }
  __syncwarp();
}

struct BestDiagonal {
  std::uint32_t number, votes;
};

/// best_diagonal() by all lanes. from: the word at which the first row begins.
__device__ inline BestDiagonal best_diagonal_by_warp(const VoteMemory& room, const VoteRows& rows, std::int32_t from) {
  std::uint32_t most = 0, at = 0;
  rows.for_each([&](std::uint32_t row) {
    const std::uint32_t i = room.mate.length + 32 * (static_cast<std::uint32_t>(from) + row) + lane_id();
    const std::uint32_t votes = i < room.diagonals() ? room.votes[i] : 0;
    if (votes > most) most = votes, at = i;
  });
  const std::uint32_t best = __reduce_max_sync(all_lanes, most);
  return {__reduce_min_sync(all_lanes, most == best ? at : ~0U), best};
}

/// longest_run() by all lanes: each lane compares a word, then each lane checks the run at its bit of every word.
__device__ inline ExactRun longest_run_by_warp(const VoteMemory& room, std::uint32_t diagonal) {
  const std::int32_t shift = static_cast<std::int32_t>(diagonal) - static_cast<std::int32_t>(room.mate.length);
  const std::uint32_t words = (room.mate.length + 31) / 32;
  std::uint32_t best = 0, following = 0, run = 0;  // best: length, above the complement of the start
  for (std::uint32_t first = (words - 1) / warp_threads * warp_threads + warp_threads; first > 0;) {
    first -= warp_threads;
    const auto at = static_cast<std::int32_t>(32 * (first + lane_id())), position = at + shift;
    const bool overlaps =
        first + lane_id() < words && position >= -32 && position <= static_cast<std::int32_t>(room.window.length);
    const std::uint32_t same = overlaps ? ~differing(room.mate, at, room.window, position) : 0;
    for (std::uint32_t word = words - first < warp_threads ? words - first : warp_threads; word-- > 0;) {
      const std::uint32_t mine = __shfl_sync(all_lanes, same, static_cast<int>(word));
      const std::uint32_t bits = __funnelshift_r(mine, following, lane_id());
      run = ~bits == 0 ? 32 + run : static_cast<std::uint32_t>(__ffs(static_cast<int>(~bits))) - 1;
      const std::uint32_t key = run << 16 | (0xFFFFU - 32 * (first + word) - lane_id());
      if (key > best) best = key;
      following = mine;
    }
  }
  best = __reduce_max_sync(all_lanes, best);
  const std::uint32_t begin = 0xFFFFU - (best & 0xFFFFU);
  return {begin, begin + diagonal - room.mate.length, best >> 16};
}

/// Finds the longest exact matches on the best diagonals. runs: memory shared by all lanes. Returns their number.
__device__ inline unsigned best_diagonal_runs(const VoteMemory& room, ExactRun (&runs)[max_rescue_diagonals]) {
  const std::int32_t from = -static_cast<std::int32_t>((room.mate.length + 31) / 32);
  const VoteRows rows = count_votes_by_warp(room.mate, room.window, room.voters, from, room.votes);
  std::uint32_t least = 1;
  unsigned found = 0;
#pragma unroll 1
  for (; found < max_rescue_diagonals; ++found) {
    const BestDiagonal best = best_diagonal_by_warp(room, rows, from);
    if (best.votes < least) break;
    if (found == 0) least = min_votes(best.votes);
    const ExactRun run = longest_run_by_warp(room, best.number);
    if (lane_id() == 0) runs[found] = run;
    const std::uint32_t apart = diagonal_width(room.mate.length);
    const std::uint32_t begin = best.number + 1 > apart ? best.number + 1 - apart : 0;
    for (std::uint32_t i = begin + lane_id(); i < room.diagonals() && i < best.number + apart; i += warp_threads)
      room.votes[i] = 0;
    __syncwarp();
  }
  return found;
}

}  // namespace warpseed::align::cuda
