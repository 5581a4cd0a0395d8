// Mate rescue: finds where a read fits best in a genome window, by short words (k-mers) on common diagonals.
//
// The words of the read are in a small hash table. Every word of the window votes for the diagonals on which it matches
// the read. Extension starts from the longest exact run on a diagonal with the most votes.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/chain/diagonal_score_table.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

constexpr std::uint32_t rescue_word = 11;  // a chance match of a word in a window of some hundred bases is rare
constexpr std::uint32_t word_copies = 4;   // only this many copies of a word in the read get votes
constexpr std::uint32_t empty_slot = 0xFFFFFFFFU;

/// One occurrence of a word in the read.
struct WordSlot {
  std::uint32_t word = empty_slot;
  std::uint32_t position = 0;
};

/// Open addressing; the caller owns the slots. `size` is a power of two, at least twice the read's length. Most words of
/// a window are not in the read: a filter of a bit for each hash spares them branches that are hard to predict.
struct WordTable {
  static constexpr std::uint32_t filter_bits = 4096;  // a read of 150 bases sets 3 % of them

  WordSlot* slots = nullptr;
  std::uint32_t size = 0;
  std::uint64_t filter[filter_bits / 64] = {};

  static std::uint32_t hash_of(std::uint32_t word) { return word * 2654435761U; }
  std::uint32_t slot_of(std::uint32_t word) const { return (hash_of(word) >> 7) & (size - 1); }
  static std::uint32_t filter_bit(std::uint32_t word) { return hash_of(word) >> 20; }
  bool may_hold(std::uint32_t word) const { return (filter[filter_bit(word) / 64] >> filter_bit(word) % 64 & 1) != 0; }

  void insert(std::uint32_t word, std::uint32_t position) {
    std::uint32_t copies = 0;
    std::uint32_t at = slot_of(word);
    for (; slots[at].word != empty_slot; at = (at + 1) & (size - 1)) {
      if (slots[at].word == word && ++copies == word_copies) return;
    }
    slots[at] = {word, position};
    filter[filter_bit(word) / 64] |= std::uint64_t{1} << filter_bit(word) % 64;
  }

  /// Calls visit(position) for every occurrence of a word.
  template <class Visit>
  void for_each_position(std::uint32_t word, Visit visit) const {
    if (!may_hold(word)) [[likely]]
      return;
    for (std::uint32_t at = slot_of(word); slots[at].word != empty_slot; at = (at + 1) & (size - 1)) {
      if (slots[at].word == word) visit(slots[at].position);
    }
  }
};
static_assert(WordTable::filter_bits == 1U << 12, "filter_bit() takes the highest 12 bits of a hash");

/// Calls visit(word, begin) for every word of codes [0, length) without an N.
template <class Visit>
WS_HD inline void for_each_word(const std::uint8_t* codes, std::uint32_t length, Visit visit) {
  constexpr std::uint32_t mask = (1U << 2 * rescue_word) - 1;
  std::uint32_t word = 0, bases = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    word = (word << 2 | (codes[i] & 3U)) & mask;
    bases = codes[i] < 4 ? bases + 1 : 0;
    if (bases >= rescue_word) visit(word, i + 1 - rescue_word);
  }
}

inline void fill_table(WordTable& table, const std::uint8_t* codes, std::uint32_t length) {
  for (std::uint32_t i = 0; i < table.size; ++i) table.slots[i].word = empty_slot;
  for_each_word(codes, length, [&](std::uint32_t word, std::uint32_t position) { table.insert(word, position); });
}

/// votes: [window_length + read_length], indexed by diagonal: window position - read position + read_length.
inline void count_votes(const WordTable& table, std::uint32_t read_length, const std::uint8_t* window,
                        std::uint32_t window_length, std::uint16_t* votes) {
  for (std::uint32_t i = 0; i < window_length + read_length; ++i) votes[i] = 0;
  for_each_word(window, window_length, [&](std::uint32_t word, std::uint32_t begin) {
    table.for_each_position(word, [&](std::uint32_t position) {
      std::uint16_t& count = votes[begin + read_length - position];
      count = static_cast<std::uint16_t>(count + (count < 0xFFFF));
    });
  });
}

/// Codes as bit planes of 32 bases per word, the first base in the lowest bit. One padding word precedes the first and
/// one follows the last. N bases, padding and bits past the end are marked unknown. Owns nothing.
struct CodeBits {
  std::uint32_t *low = nullptr, *high = nullptr, *unknown = nullptr;  // [words_of(length)]
  std::uint32_t length = 0;

  WS_HD static std::uint32_t words_of(std::uint32_t length) { return length / 32 + 3; }

  /// 32 bits starting at a position in [-32, length].
  WS_HD static std::uint32_t from(const std::uint32_t* bits, std::int32_t at) {
    const auto bit = static_cast<std::uint32_t>(at + 32);
    const std::uint64_t two = bits[bit / 32] | std::uint64_t{bits[bit / 32 + 1]} << 32;
    return static_cast<std::uint32_t>(two >> bit % 32);
  }
};

/// The bit planes of 32 bases from PackedView::window(), the first base in the lowest bit.
struct BaseBits {
  std::uint32_t low = 0, high = 0;
};
WS_HD inline BaseBits bits_of_window(std::uint64_t window) {
  const auto lowest_of_pairs = [](std::uint64_t pairs) {
    const std::uint64_t eights = pack_even_bits(pairs), sixteens = (eights | eights >> 8) & 0x0000FFFF0000FFFFULL;
    return reversed_bits(static_cast<std::uint32_t>(sixteens | sixteens >> 16));
  };
  return {lowest_of_pairs(window), lowest_of_pairs(window >> 1)};
}

/// Marks where 32 bases differ: a read's from `at` on, a window's from `location` on.
WS_HD inline std::uint32_t differing(const CodeBits& read, std::int32_t at, const CodeBits& window,
                                     std::int32_t location) {
  const auto other = [&](const std::uint32_t* a, const std::uint32_t* b) {
    return CodeBits::from(a, at) ^ CodeBits::from(b, location);
  };
  return other(read.low, window.low) | other(read.high, window.high) | CodeBits::from(read.unknown, at) |
         CodeBits::from(window.unknown, location);
}

/// Finds runs of eleven set bits: marks the starts. Words are passed from the last to the first.
struct RunsOfEleven {
  static_assert(rescue_word == 11);
  std::uint32_t one = 0, two = 0, four = 0, eight = 0;  // runs of this length in the following word

  WS_HD std::uint32_t take(std::uint32_t bits) {
    const auto joined = [](std::uint32_t runs, std::uint32_t following, unsigned by) {
      return runs & (runs >> by | following << (32 - by));
    };
    const std::uint32_t twos = joined(bits, one, 1), fours = joined(twos, two, 2), eights = joined(fours, four, 4);
    const std::uint32_t elevens = joined(eights, eight, 3);
    one = bits, two = twos, four = fours, eight = eights;
    return elevens;
  }
};

/// A cheap filter: runs of four set bits at every fourth bit. Any run of eleven contains two adjacent ones.
struct RunsOfFour {
  std::uint32_t following = 0;  // fours of the following word

  WS_HD std::uint32_t take(std::uint32_t bits) {
    const std::uint32_t fours = ((bits & 0x77777777U) + 0x11111111U) & bits & 0x88888888U;
    const std::uint32_t both = fours & (fours >> 4 | following << 28);
    following = fours;
    return both;
  }
};

/// The number of read words counted at a time.
constexpr std::uint32_t vote_words = 5;

/// Words of a read, or of a window aligned with them: in registers.
struct VoteWords {
  std::uint32_t low[vote_words], high[vote_words];
  std::uint32_t third[vote_words];  // of a read: where a word with a vote begins; of a window: unknown bases
};

/// The votes of read words for the diagonal that aligns them with the window's words. any(bits): whether any bit is
/// set, here or for another diagonal that is counted at the same time; mostly none is. Cost: seven operations for 32
/// bases.
template <class Any>
WS_HD inline std::uint32_t votes_of(const VoteWords& read, const VoteWords& window, Any any) {
  std::uint32_t same[vote_words], some = 0;
  RunsOfFour fours;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t w = vote_words; w-- > 0;) {
    same[w] = ~((read.low[w] ^ window.low[w]) | (read.high[w] ^ window.high[w]) | window.third[w]);
    some |= fours.take(same[w]);
  }
  if (!any(some)) return 0;
  std::uint32_t votes = 0;
  RunsOfEleven words;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t w = vote_words; w-- > 0;) votes += count_ones(words.take(same[w]) & read.third[w]);
  return votes;
}

/// Marks where words of a read without an N begin, for 32 of its bases. `following`: the unknown bits of the following
/// word.
WS_HD inline std::uint32_t known_words(std::uint32_t unknown, std::uint32_t following) {
  RunsOfEleven words;
  words.take(~following);
  return words.take(~unknown);
}

/// Does the word at `at` vote: is it known, and do fewer than word_copies earlier words of the read equal it?
WS_HD inline bool may_vote(const CodeBits& read, std::uint32_t at) {
  constexpr std::uint32_t word = (1U << rescue_word) - 1;
  if (at + rescue_word > read.length) return false;
  const auto location = static_cast<std::int32_t>(at);
  if ((CodeBits::from(read.unknown, location) & word) != 0) return false;
  std::uint32_t copies = 0;
  for (std::int32_t i = 0; i < location && copies < word_copies; ++i) {
    if ((differing(read, i, read, location) & word) == 0) ++copies;
  }
  return copies < word_copies;
}

/// An exact match of read and window.
struct ExactRun {
  std::uint32_t read_begin = 0, window_begin = 0, length = 0;
};

/// The longest exact run on a diagonal, the first of equals.
WS_HD inline ExactRun longest_run(const std::uint8_t* codes, std::uint32_t read_length, const std::uint8_t* window,
                                  std::uint32_t window_length, std::uint32_t diagonal) {
  ExactRun best;
  std::uint32_t run = 0;
  const std::uint32_t first = diagonal < read_length ? read_length - diagonal : 0;
  for (std::uint32_t i = first; i < read_length && i + diagonal - read_length < window_length; ++i) {
    const std::uint32_t at = i + diagonal - read_length;
    run = codes[i] < 4 && codes[i] == window[at] ? run + 1 : 0;
    if (run > best.length) best = {i + 1 - run, at + 1 - run, run};
  }
  return best;
}

/// The diagonal with the most votes; of equals the leftmost.
WS_HD inline std::uint32_t best_diagonal(const std::uint16_t* votes, std::uint32_t count) {
  std::uint16_t most = 0;
  for (std::uint32_t i = 0; i < count; ++i) most = votes[i] > most ? votes[i] : most;  // in SIMD lanes
  std::uint32_t best = 0;
  while (best < count && votes[best] != most) ++best;
  return best < count ? best : 0;
}

/// The best diagonal, and up to three others with nearly as many votes: the copies of a tandem repeat.
constexpr std::uint32_t max_rescue_diagonals = 4;

/// The minimum votes of a further diagonal.
WS_HD inline std::uint32_t min_votes(std::uint32_t of_best) {
  return (of_best + 1) / 2;
}

/// Diagonals closer than this count as one position.
WS_HD inline std::uint32_t diagonal_width(std::uint32_t read_length) {
  return read_length / 8 + 1;
}

/// Clears the votes of a diagonal and of those less than `apart` from it.
WS_HD inline void clear_votes(std::uint16_t* votes, std::uint32_t count, std::uint32_t diagonal, std::uint32_t apart) {
  const std::uint32_t begin = diagonal + 1 > apart ? diagonal + 1 - apart : 0;
  for (std::uint32_t i = begin; i < count && i < diagonal + apart; ++i) votes[i] = 0;
}

}  // namespace warpseed::align
