// What an own deflate stream consists of (RFC 1951), in functions shared by host and device.
//
// The stream of a block is defined here, so that every schedule which keeps to it writes the same bytes:
//
//  1. A block has at most `max_block` bytes. For comparisons zeros follow its end. It is covered by fields, each of a
//     kind; fields of more than `max_piece` bytes are cut after every `max_piece` bytes. No match crosses the end of its
//     piece [begin, end). The tokens of a piece depend on the bytes and the pieces' borders, on no other token.
//  2. short_matches: the positions [begin, end - 3) of such pieces belong to the short table. The candidates of position
//     p are the last four positions before p that belong to it and have p's short_hash(); for missing ones 0 is taken.
//     The best candidate is the one with the longest match, compared over `compared_bytes`; the nearest of equals.
//     From begin on: a position whose best match is below `min_match` is a literal. So is one whose best match is below
//     `sure_bytes` and shorter than that of the next position, both compared over `sure_bytes`, where that belongs to the
//     table and the piece; then the match of the next position is taken. Where the best candidate is 0 itself or further
//     back than `max_distance`, the position is a literal after all.
//  3. A stretch [begin, end) of n bytes or more is searched for matches of n bytes or more: its positions [begin,
//     end - n + 1) belong to the table of n. The one candidate of position p is the last position before p that
//     belongs to it and has p's long_hash(), or 0. From begin on, matches are taken that have n bytes, end in the
//     stretch and have a distance of at most `max_distance`. A piece of long_matches is a stretch, n `long_match`.
//  4. runs: from begin on, `min_run` bytes that all repeat the byte before them begin a match of distance 1. What is
//     before, between and after these matches are stretches, n `longer_match`.
//  5. Matches are as long as they can be, at most `max_match`.
//  6. The tokens form one deflate block, whose kind is the smallest of dynamic, fixed and stored, the first of equals.
//     Codes follow from code_lengths() of the symbols' counts; without a match, distance symbol 0 is counted once, and
//     of the third code, if it had one symbol, another one: 0, or 1 where 0 is that symbol. Of the literals' and
//     distances' lengths the header has those up to the last one that is not 0.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/bits.hpp"
#include "core/host_device.hpp"

namespace warpseed::deflate {

constexpr std::uint32_t max_block = 65536, max_piece = 2048;
constexpr std::uint32_t min_match = 4, long_match = 6, longer_match = 8, min_run = 4;
constexpr std::uint32_t sure_bytes = 16, compared_bytes = 32;
constexpr std::uint32_t max_match = 258, max_distance = 32768;      // deflate's limits
constexpr std::uint32_t short_hash_bits = 11, long_hash_bits = 12;  // tables of 16, 8 and 8 KiB: half an L1 cache

constexpr std::uint32_t literal_symbols = 286, distance_symbols = 30, length_code_symbols = 19;
constexpr std::uint32_t end_of_block = 256, first_length_symbol = 257;
constexpr std::uint32_t max_literal_bits = 14;  // deflate allows 15; four codes then fit in 56 bits, at hardly any cost
constexpr std::uint32_t max_distance_bits = 15, max_length_code_bits = 7;

/// A device, which loads aligned words only, reads the words around `at`: up to 3 bytes before, up to 7 more after.
WS_HD inline std::uint32_t load_32(const std::uint8_t* at) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const auto* words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  return __funnelshift_r(words[0], words[1], static_cast<std::uint32_t>(address & 3) * 8);
#else
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
#endif
}

WS_HD inline std::uint64_t load_64(const std::uint8_t* at) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const auto* words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const std::uint32_t shift = static_cast<std::uint32_t>(address & 3) * 8, middle = words[1];
  const std::uint64_t upper = __funnelshift_r(middle, words[2], shift);
  return upper << 32 | __funnelshift_r(words[0], middle, shift);
#else
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
#endif
}

/// Of the 4 bytes at `at`.
WS_HD inline std::uint32_t short_hash(const std::uint8_t* at) {
  return load_32(at) * 0x9E3779B1U >> (32 - short_hash_bits);
}

/// The `count` bytes at `at`, in the upper part of a word. 8 bytes are read.
WS_HD inline std::uint64_t long_key(const std::uint8_t* at, std::uint32_t count) {
  return load_64(at) << (64 - 8 * count);
}

WS_HD inline std::uint32_t long_hash(std::uint64_t key) {
  return static_cast<std::uint32_t>(key * 0x9E3779B97F4A7C15U >> (64 - long_hash_bits));
}

/// Of a match whose first `length` bytes are known to be the same; at most `most`. Reads up to 7 bytes beyond.
WS_HD inline std::uint32_t match_length(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t length,
                                        std::uint32_t most) {
  for (; length < most; length += 8) {
    const std::uint64_t differ = load_64(a + length) ^ load_64(b + length);
    if (differ == 0) continue;
    length += trailing_zeros(differ) / 8;
    break;
  }
  return length < most ? length : most;
}

/// Whether a match may have this distance; 0 is none.
WS_HD inline bool in_reach(std::uint32_t distance) {
  return distance - 1 < max_distance;
}

/// A symbol and the extra bits that follow its code.
struct SymbolBits {
  std::uint32_t symbol, extra_bits, extra;
};

/// For length 3 to 258.
WS_HD inline SymbolBits length_symbol(std::uint32_t length) {
  if (length == max_match) return {285, 0, 0};
  const std::uint32_t from_3 = length - 3;
  if (from_3 < 8) return {first_length_symbol + from_3, 0, 0};
  const std::uint32_t bits = 61 - leading_zeros(from_3);  // four symbols for each number of extra bits
  return {first_length_symbol + 4 * bits + (from_3 >> bits), bits, from_3 & ((1U << bits) - 1)};
}

/// Extra bits of a distance's symbol.
WS_HD inline std::uint32_t distance_extra_bits(std::uint32_t symbol) {
  return symbol < 4 ? 0 : symbol / 2 - 1;
}

/// For distance 1 to 32768.
WS_HD inline SymbolBits distance_symbol(std::uint32_t distance) {
  const std::uint32_t from_1 = distance - 1;
  if (from_1 < 4) return {from_1, 0, 0};
  const std::uint32_t bits = 62 - leading_zeros(from_1);  // two symbols for each number of extra bits
  return {2 * bits + (from_1 >> bits), bits, from_1 & ((1U << bits) - 1)};
}

/// Deflate writes codes from their highest bit on, into bytes that are filled from their lowest bit on.
WS_HD inline std::uint32_t reversed(std::uint32_t code, std::uint32_t bits) {
  code = (code & 0x5555U) << 1 | (code >> 1 & 0x5555U);
  code = (code & 0x3333U) << 2 | (code >> 2 & 0x3333U);
  code = (code & 0x0F0FU) << 4 | (code >> 4 & 0x0F0FU);
  code = (code & 0x00FFU) << 8 | (code >> 8 & 0x00FFU);
  return code >> (16 - bits);
}

/// What code_lengths() sorts: the symbol breaks ties.
WS_HD inline std::uint32_t count_key(std::uint32_t count, std::uint32_t symbol) {
  return count << 9 | symbol;
}
constexpr std::uint32_t key_symbol = (1U << 9) - 1;

/// Memory of code_lengths().
struct CodeScratch {
  std::uint32_t weight[2 * literal_symbols];
  std::uint16_t parent[2 * literal_symbols];
  std::uint8_t depth[2 * literal_symbols];
};

/// Depth of each node below the root, which is the last one. Nodes [0, leaves) are the sorted symbols, `leaves` > 1. A
/// node's weight is known when all lighter ones have a parent, so two queues suffice: van Leeuwen, "On the construction
/// of Huffman trees", ICALP 1976. Of equal weights a leaf comes first.
WS_HD inline void node_depths(const std::uint32_t* keys, std::uint32_t leaves, CodeScratch& scratch) {
  const std::uint32_t nodes = 2 * leaves - 1;
  for (std::uint32_t i = 0; i < leaves; ++i) scratch.weight[i] = keys[i] >> 9;
  std::uint32_t leaf = 0, inner = leaves;  // the lightest without a parent
  for (std::uint32_t node = leaves; node < nodes; ++node) {
    std::uint32_t sum = 0;
    for (int child = 0; child < 2; ++child) {
      const bool takes_leaf = leaf < leaves && (inner == node || scratch.weight[leaf] <= scratch.weight[inner]);
      const std::uint32_t taken = takes_leaf ? leaf++ : inner++;
      scratch.parent[taken] = static_cast<std::uint16_t>(node);
      sum += scratch.weight[taken];
    }
    scratch.weight[node] = sum;
  }
  scratch.depth[nodes - 1] = 0;
  for (std::uint32_t node = nodes - 1; node-- > 0;) {
    scratch.depth[node] = static_cast<std::uint8_t>(scratch.depth[scratch.parent[node]] + 1);
  }
}

/// Lengths of a prefix code with at most `limit` bits, by counts.
/// keys: [count], count_key() of the symbols that occur, ascending. lengths: of all symbols; only theirs are written.
/// Huffman's code; where that is too long, the longest codes get `limit` bits and shorter ones are lengthened, the
/// longest of them first, until the code fits. A single symbol gets one bit.
WS_HD inline void code_lengths(const std::uint32_t* keys, std::uint32_t count, std::uint32_t limit,
                               CodeScratch& scratch, std::uint8_t* lengths) {
  if (count == 1) lengths[keys[0] & key_symbol] = 1;
  if (count < 2) return;
  node_depths(keys, count, scratch);
  std::uint32_t of_length[16] = {};
  std::uint32_t used = 0;  // of 2^limit codes of `limit` bits
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t length = scratch.depth[i] < limit ? scratch.depth[i] : limit;
    ++of_length[length];
    used += 1U << (limit - length);
  }
  for (; used > 1U << limit; --used) {  // a code of `limit` bits moves under a shorter one
    std::uint32_t shorter = limit - 1;
    while (of_length[shorter] == 0) --shorter;
    --of_length[shorter];
    of_length[shorter + 1] += 2;
    --of_length[limit];
  }
  std::uint32_t next = count;
  for (std::uint32_t length = 1; length <= limit; ++length) {
    for (std::uint32_t i = 0; i < of_length[length]; ++i) {
      lengths[keys[--next] & key_symbol] = static_cast<std::uint8_t>(length);
    }
  }
}

/// The canonical codes of lengths, reversed. codes: [count]; those of absent symbols are 0.
WS_HD inline void canonical_codes(const std::uint8_t* lengths, std::uint32_t count, std::uint16_t* codes) {
  std::uint32_t of_length[16] = {}, next[16] = {};
  for (std::uint32_t i = 0; i < count; ++i) ++of_length[lengths[i]];
  of_length[0] = 0;
  for (int length = 1; length < 16; ++length) next[length] = (next[length - 1] + of_length[length - 1]) << 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    codes[i] =
        lengths[i] == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(reversed(next[lengths[i]]++, lengths[i]));
  }
}

}  // namespace warpseed::deflate
