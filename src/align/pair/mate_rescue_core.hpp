// Mate rescue: where in a stretch of genome a read fits best, found by short words on common diagonals.
//
// The words of the read stand in a small hash table; every word of the window votes for the diagonal on which
// it meets the read. The longest exact run on a diagonal with the most votes is what extension then starts from.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/chain/diagonal_score_table.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

constexpr std::uint32_t rescue_word = 11;  // a chance match of a word in a window of some hundred bases is rare
constexpr std::uint32_t word_copies = 4;   // a word that the read holds more often than this votes for no more
constexpr std::uint32_t empty_slot = 0xFFFFFFFFU;

/// One place of a word in the read.
struct WordSlot {
  std::uint32_t word = empty_slot;
  std::uint32_t position = 0;
};

/// Open-addressed; the caller owns the slots. `size` is a power of two, at least twice the read's length.
struct WordTable {
  WordSlot* slots = nullptr;
  std::uint32_t size = 0;

  WS_HD std::uint32_t slot_of(std::uint32_t word) const { return (word * 2654435761U >> 7) & (size - 1); }

  WS_HD void insert(std::uint32_t word, std::uint32_t position) {
    std::uint32_t copies = 0;
    std::uint32_t at = slot_of(word);
    for (; slots[at].word != empty_slot; at = (at + 1) & (size - 1)) {
      if (slots[at].word == word && ++copies == word_copies) return;
    }
    slots[at] = {word, position};
  }

  /// Calls visit(position) for the places of a word.
  template <class Visit>
  WS_HD void for_places(std::uint32_t word, Visit visit) const {
    for (std::uint32_t at = slot_of(word); slots[at].word != empty_slot; at = (at + 1) & (size - 1)) {
      if (slots[at].word == word) visit(slots[at].position);
    }
  }
};

/// Calls visit(word, begin) for every word of codes [0, length) without an N.
template <class Visit>
WS_HD inline void for_words(const std::uint8_t* codes, std::uint32_t length, Visit visit) {
  constexpr std::uint32_t mask = (1U << 2 * rescue_word) - 1;
  std::uint32_t word = 0, bases = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    word = (word << 2 | (codes[i] & 3U)) & mask;
    bases = codes[i] < 4 ? bases + 1 : 0;
    if (bases >= rescue_word) visit(word, i + 1 - rescue_word);
  }
}

WS_HD inline void fill_table(WordTable& table, const std::uint8_t* codes, std::uint32_t length) {
  for (std::uint32_t i = 0; i < table.size; ++i) table.slots[i].word = empty_slot;
  for_words(codes, length, [&](std::uint32_t word, std::uint32_t position) { table.insert(word, position); });
}

/// votes: [window_length + read_length], counted by diagonal: window position - read position + read_length.
WS_HD inline void count_votes(const WordTable& table, std::uint32_t read_length, const std::uint8_t* window,
                              std::uint32_t window_length, std::uint16_t* votes) {
  for (std::uint32_t i = 0; i < window_length + read_length; ++i) votes[i] = 0;
  for_words(window, window_length, [&](std::uint32_t word, std::uint32_t begin) {
    table.for_places(word, [&](std::uint32_t position) {
      std::uint16_t& count = votes[begin + read_length - position];
      count = static_cast<std::uint16_t>(count + (count < 0xFFFF));
    });
  });
}

/// Codes as words of bits, those of 32 in each word, the first in the lowest bit. One word stands before the first and one
/// behind the last; all their bits are unknown, as those of an N are, and those behind the end. Owns nothing.
struct CodeBits {
  std::uint32_t *low = nullptr, *high = nullptr, *unknown = nullptr;  // [words_of(length)]
  std::uint32_t length = 0;

  WS_HD static std::uint32_t words_of(std::uint32_t length) { return length / 32 + 3; }

  /// 32 bits from a place in [-32, length] on.
  WS_HD static std::uint32_t from(const std::uint32_t* bits, std::int32_t at) {
    const auto bit = static_cast<std::uint32_t>(at + 32);
    const std::uint64_t two = bits[bit / 32] | std::uint64_t{bits[bit / 32 + 1]} << 32;
    return static_cast<std::uint32_t>(two >> bit % 32);
  }
};

/// The bits of 32 bases as PackedView::window() has them, the first base in the lowest bit.
struct BaseBits {
  std::uint32_t low = 0, high = 0;
};
WS_HD inline BaseBits bits_of_window(std::uint64_t window) {
  const auto lowest_of_pairs = [](std::uint64_t pairs) {
    const std::uint64_t eights = squeeze_by_eight(pairs), sixteens = (eights | eights >> 8) & 0x0000FFFF0000FFFFULL;
    return reversed_bits(static_cast<std::uint32_t>(sixteens | sixteens >> 16));
  };
  return {lowest_of_pairs(window), lowest_of_pairs(window >> 1)};
}

/// Where 32 bases differ: those of a read from `at` on, those of a window from `place` on.
WS_HD inline std::uint32_t differing(const CodeBits& read, std::int32_t at, const CodeBits& window,
                                     std::int32_t location) {
  const auto other = [&](const std::uint32_t* a, const std::uint32_t* b) {
    return CodeBits::from(a, at) ^ CodeBits::from(b, location);
  };
  return other(read.low, window.low) | other(read.high, window.high) | CodeBits::from(read.unknown, at) |
         CodeBits::from(window.unknown, location);
}

/// Bits that are set, eleven in a row: from which on they are. Words come from the last to the first.
struct ElevenInRow {
  static_assert(rescue_word == 11);
  std::uint32_t one = 0, two = 0, four = 0, eight = 0;  // in a row, of the word behind

  WS_HD std::uint32_t take(std::uint32_t bits) {
    const auto joined = [](std::uint32_t runs, std::uint32_t behind, unsigned by) {
      return runs & (runs >> by | behind << (32 - by));
    };
    const std::uint32_t twos = joined(bits, one, 1), fours = joined(twos, two, 2), eights = joined(fours, four, 4);
    const std::uint32_t elevens = joined(eights, eight, 3);
    one = bits, two = twos, four = fours, eight = eights;
    return elevens;
  }
};

/// The same by fours that begin at every fourth bit, which eleven in a row hold two of: whether there may be any.
struct FoursInRow {
  std::uint32_t behind = 0;  // fours of the word behind

  WS_HD std::uint32_t take(std::uint32_t bits) {
    const std::uint32_t fours = ((bits & 0x77777777U) + 0x11111111U) & bits & 0x88888888U;
    const std::uint32_t both = fours & (fours >> 4 | behind << 28);
    behind = fours;
    return both;
  }
};

/// As many words of a read are counted at a time.
constexpr std::uint32_t vote_words = 5;

/// Words of a read or, beside them, of a window: in registers.
struct VoteWords {
  std::uint32_t low[vote_words], high[vote_words];
  std::uint32_t third[vote_words];  // of a read: where a word begins that votes; of a window: what is unknown
};

/// The votes of words of a read for the diagonal on which those of a window lie beside them. any(bits): whether any are
/// set, or any of another diagonal that is counted at the same time: most have none. Cost: seven operations for 32
/// bases.
template <class Any>
WS_HD inline std::uint32_t votes_of(const VoteWords& read, const VoteWords& window, Any any) {
  std::uint32_t same[vote_words], some = 0;
  FoursInRow fours;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t w = vote_words; w-- > 0;) {
    same[w] = ~((read.low[w] ^ window.low[w]) | (read.high[w] ^ window.high[w]) | window.third[w]);
    some |= fours.take(same[w]);
  }
  if (!any(some)) return 0;
  std::uint32_t votes = 0;
  ElevenInRow words;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t w = vote_words; w-- > 0;) votes += count_ones(words.take(same[w]) & read.third[w]);
  return votes;
}

/// Where words of a read begin that have no N: bits for 32 of its bases. What is unknown of them and of those behind.
WS_HD inline std::uint32_t known_words(std::uint32_t unknown, std::uint32_t behind) {
  ElevenInRow words;
  words.take(~behind);
  return words.take(~unknown);
}

/// Has the word at `at` a vote: is it known, and do at most word_copies of the read's up to it equal it?
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

/// A stretch of the read that equals the window's at `window_begin`.
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
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (votes[i] > votes[best]) best = i;
  }
  return best;
}

/// The best diagonal counts, and up to three others that come near it: the places of a tandem repeat.
constexpr std::uint32_t max_rescue_diagonals = 4;

/// The fewest votes of a diagonal that is looked at beside the best.
WS_HD inline std::uint32_t fewest_votes(std::uint32_t of_best) {
  return (of_best + 1) / 2;
}

/// Diagonals less than so many apart are one place.
WS_HD inline std::uint32_t diagonal_width(std::uint32_t read_length) {
  return read_length / 8 + 1;
}

/// Takes the votes from a diagonal and those less than `apart` from it.
WS_HD inline void clear_votes(std::uint16_t* votes, std::uint32_t count, std::uint32_t diagonal, std::uint32_t apart) {
  const std::uint32_t begin = diagonal + 1 > apart ? diagonal + 1 - apart : 0;
  for (std::uint32_t i = begin; i < count && i < diagonal + apart; ++i) votes[i] = 0;
}

}  // namespace warpseed::align
