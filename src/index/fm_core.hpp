// The FM-index, shared by both backends: rank in a block, a backward search step, an LF step.
//
// Ferragina and Manzini, "Opportunistic data structures with applications", FOCS 2000.
#pragma once

#include <cstdint>

#include "core/bits.hpp"
#include "core/prefetch.hpp"
#include "core/types.hpp"
#include "core/view.hpp"

namespace warpseed::index {

constexpr unsigned block_symbols = 64;               // BWT symbols per rank block
constexpr std::uint64_t superblock_symbols = 65536;  // a block's counts are relative to its superblock

/// 64 symbols of the BWT and the base counts before them: 32 bytes, one memory sector per rank query.
struct alignas(32) RankBlock {
  std::uint16_t before[4] = {};  // occurrences of A, C, G, T since the superblock's start
  std::uint64_t low = 0;         // bit i: low bit of the code of symbol i; 0 for a separator
  std::uint64_t high = 0;        // bit i: its high bit; 0 for a separator
  std::uint64_t separator = 0;   // bit i: symbol i is a separator
};
static_assert(sizeof(RankBlock) == 32);

/// Base counts from the start of the BWT to a superblock.
struct Superblock {
  std::uint64_t before[4] = {};
};

/// The FM-index; owns nothing. Rows are those of the suffix array; the rows of separators come first. A file may be forged:
/// its ranks are proven when it is opened, so that every row of a search exists; the functions below bound what they read
/// from samples, segment_starts and kmer_ranges.
struct FmView {
  View<RankBlock> blocks;         // [row_count/64 + 1], so that rank(row_count) is valid
  View<Superblock> superblocks;   // [row_count/65536 + 1]
  Row first_row[5] = {};          // of A, C, G, T; first_row[4] = row_count; rows below first_row[0]: the separators
  PositionArray samples;          // [ceil(row_count/sample_step)] text position of every sample_step-th row
  std::uint32_t sample_step = 1;  // a power of two
  PositionArray segment_starts;   // [segments] text position of the suffix whose BWT symbol is the i-th separator
  PositionArray kmer_ranges;      // [2 * 4^kmer_length] begin and end of the rows of each k-mer
  std::uint32_t kmer_length = 0;  // 0: no table

  WS_HD Row row_count() const { return first_row[4]; }
};

/// Bitmap of the symbols in a block that equal `base` (0..3).
WS_HD inline std::uint64_t matches_in(const RankBlock& block, unsigned base) {
  const std::uint64_t low = (base & 1) ? block.low : ~block.low;
  const std::uint64_t high = (base & 2) ? block.high : ~block.high;
  return low & high & ~block.separator;
}

WS_HD inline std::uint64_t bits_below(Row row) {
  return (std::uint64_t{1} << (row % block_symbols)) - 1;
}

/// Loads the block of a row into registers: two 16-byte loads from one sector on a device.
WS_HD inline RankBlock load_block(const FmView& fm, Row row) {
  const RankBlock* block = &fm.blocks[row / block_symbols];
#ifdef __CUDA_ARCH__
  const auto* halves = reinterpret_cast<const ulonglong2*>(block);
  const ulonglong2 first = __ldg(halves), second = __ldg(halves + 1);
  RankBlock loaded;
  __builtin_memcpy(loaded.before, &first.x, sizeof loaded.before);
  loaded.low = first.y, loaded.high = second.x, loaded.separator = second.y;
  return loaded;
#else
  return *block;
#endif
}

/// block.before[base] by shifting a register; a device would put an indexed array into local memory.
WS_HD inline std::uint64_t before_in(const RankBlock& block, unsigned base) {
  std::uint64_t all = 0;
  __builtin_memcpy(&all, block.before, sizeof all);
  return all >> (16 * base) & 0xFFFF;
}

/// Occurrences of `base` in rows [0, row), given the block of `row`.
WS_HD inline std::uint64_t rank_in(const FmView& fm, const RankBlock& block, unsigned base, Row row) {
  return fm.superblocks[row / superblock_symbols].before[base] + before_in(block, base) +
         count_ones(matches_in(block, base) & bits_below(row));
}

/// Occurrences of `base` (0..3) in rows [0, row) of the BWT, for row <= row_count.
WS_HD inline std::uint64_t rank(const FmView& fm, unsigned base, Row row) {
  return rank_in(fm, load_block(fm, row), base, row);
}

/// Backward search step: from the rows that start with a string S to those that start with base·S.
WS_HD inline RowRange extend_left(const FmView& fm, RowRange rows, unsigned base) {
  const Row first = fm.first_row[base];
  const bool one_block = rows.begin / block_symbols == rows.end / block_symbols;
  const RankBlock at_begin = load_block(fm, rows.begin);  // both loads are in flight before the first use
  const RankBlock at_end = one_block ? at_begin : load_block(fm, rows.end);
  return {first + rank_in(fm, at_begin, base, rows.begin), first + rank_in(fm, at_end, base, rows.end)};
}

/// The state of an LF walk from a row to one with a known text position.
struct Walk {
  Row row = 0;
  std::uint64_t steps = 0;  // LF steps so far
};

WS_HD inline bool is_sampled(const FmView& fm, Row row) {
  return (row & (fm.sample_step - 1)) == 0;
}

/// The text position of a row that is_sampled().
WS_HD inline TextPos sample_of(const FmView& fm, Row row) {
  return fm.samples[row / fm.sample_step];
}

/// The text position of a row that is `steps` LF steps before one at position `at`.
WS_HD inline TextPos walked_from(const FmView& fm, TextPos at, std::uint64_t steps) {
  const TextPos position = at + steps;
  return position < fm.row_count() ? position : fm.row_count() - 1;
}

/// Like step_back() below, for a row that is not sampled, given its block. A walk of more steps than there are rows goes in a
/// circle, which only a forged index has; it ends at position 0.
WS_HD inline bool step_back(const FmView& fm, const RankBlock& block, Walk& walk, TextPos& position) {
  if (walk.steps > fm.row_count()) {
    position = 0;
    return true;
  }
  const unsigned bit = static_cast<unsigned>(walk.row % block_symbols);
  if (block.separator >> bit & 1) {
    std::uint64_t separators = walk.row;  // the preceding rows minus those with bases
    for (unsigned base = 0; base < 4; ++base) separators -= rank_in(fm, block, base, walk.row);
    position = walked_from(fm, fm.segment_starts[separators], walk.steps);
    return true;
  }
  const unsigned base = static_cast<unsigned>((block.low >> bit & 1) | (block.high >> bit & 1) << 1);
  walk = {fm.first_row[base] + rank_in(fm, block, base, walk.row), walk.steps + 1};
  return false;
}

/// One step of locate(): returns true if `position` is found, false after one LF step.
WS_HD inline bool step_back(const FmView& fm, Walk& walk, TextPos& position) {
  if (!is_sampled(fm, walk.row)) return step_back(fm, load_block(fm, walk.row), walk, position);
  position = walked_from(fm, sample_of(fm, walk.row), walk.steps);
  return true;
}

/// Prefetches what step_back() reads.
WS_HD inline void prefetch_row(const FmView& fm, Row row) {
  if (is_sampled(fm, row)) {
    prefetch(fm.samples.at(row / fm.sample_step));
  } else {
    prefetch(&fm.blocks[row / block_symbols]);
  }
}

/// The text position of a row. Walks back to a sampled row or the start of a segment, on average in at most
/// sample_step - 1 steps.
WS_HD inline TextPos locate(const FmView& fm, Row row) {
  Walk walk = {row, 0};
  TextPos position = 0;
  while (!step_back(fm, walk, position)) {
  }
  return position;
}

/// The rows of a k-mer, from the table. `kmer`: kmer_length bases, the first one in the highest bits.
WS_HD inline RowRange kmer_rows(const FmView& fm, std::uint64_t kmer) {
  const Row begin = fm.kmer_ranges[2 * kmer], stored_end = fm.kmer_ranges[2 * kmer + 1];
  const Row end = stored_end < fm.row_count() ? stored_end : fm.row_count();
  return {begin < end ? begin : end, end};
}

/// A partially searched pattern: the codes from `left` on are done.
struct Search {
  RowRange rows;           // of the suffixes that start with these codes
  std::uint64_t left = 0;  // number of remaining codes
};

/// Starts with the k-mer table if the pattern is long enough. An empty pattern matches every row.
WS_HD inline Search start_search(const FmView& fm, const std::uint8_t* codes, std::uint64_t length) {
  const std::uint64_t k = fm.kmer_length;
  if (k == 0 || length < k) return {{0, fm.row_count()}, length};
  std::uint64_t kmer = 0;
  for (std::uint64_t i = length - k; i < length; ++i) {
    if (codes[i] > 3) return {};
    kmer = kmer << 2 | codes[i];
  }
  return {kmer_rows(fm, kmer), length - k};
}

/// Extends by one code to the left; returns false when the search has ended, with rows {} if there is no match.
WS_HD inline bool step_search(const FmView& fm, const std::uint8_t* codes, Search& search) {
  if (search.left == 0 || search.rows.empty()) {
    if (search.rows.empty()) search.rows = {};
    return false;
  }
  const std::uint8_t code = codes[--search.left];
  search.rows = code > 3 ? RowRange{} : extend_left(fm, search.rows, code);
  return true;
}

/// The rows that start with codes[0..length-1], codes 0..4; {} if the pattern does not occur or contains an N.
WS_HD inline RowRange find(const FmView& fm, const std::uint8_t* codes, std::uint64_t length) {
  Search search = start_search(fm, codes, length);
  while (step_search(fm, codes, search)) {
  }
  return search.rows;
}

}  // namespace warpseed::index
