// A suffix as one number: its first symbols above its position, so that sorting numbers sorts suffixes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace warpseed::suffix {

__extension__ using DoubleWord = unsigned __int128;

constexpr unsigned bucket_bits = 12;  // of a key, not stored in words: 4096 buckets' cache lines fit a core's cache
constexpr unsigned bucket_count = 1U << bucket_bits;

/// The bucket of a key: its first six bases.
inline unsigned bucket_of(std::uint64_t key) {
  return static_cast<unsigned>(key >> (64 - bucket_bits));
}

/// The layout of words with `payload_bits` below the key. A word lacks the bits of the key that number its bucket.
template <class Item, unsigned more_bits>
struct WordLayout {
  using Word = std::conditional_t<sizeof(Item) == 4, std::uint64_t, DoubleWord>;
  static constexpr unsigned bits = 8 * sizeof(Word), payload_bits = 8 * sizeof(Item) + more_bits;
  static constexpr unsigned key_bits = bucket_bits + bits - payload_bits;  // that bucket and word hold together
  static constexpr Word payload_mask = (Word{1} << payload_bits) - 1;

  static Word word(std::uint64_t key, Word payload) {
    return (Word{key} << (bits - 64 + bucket_bits) & ~payload_mask) | payload;
  }
  static bool same_key(Word a, Word b) { return (a ^ b) >> payload_bits == 0; }
};

/// Words of suffixes: position and, in the lowest bits, the base upstream of it (0 at the start of a segment).
template <class Pos>
struct SuffixWords : WordLayout<Pos, 2> {
  using Word = typename WordLayout<Pos, 2>::Word;
  static Pos position(Word word) { return static_cast<Pos>(word >> 2); }
  static unsigned upstream(Word word) { return static_cast<unsigned>(word & 3); }
};

/// Words of the suffixes in a difference cover: the slot.
template <class Slot>
struct SlotWords : WordLayout<Slot, 0> {
  using Word = typename WordLayout<Slot, 0>::Word;
  static Slot slot(Word word) { return static_cast<Slot>(word); }
};

}  // namespace warpseed::suffix
