// Exact search of patterns of at most 32 bases in one word, on a device and on the CPU.
#pragma once

#include <cstdint>

#include "index/fm_core.hpp"

namespace warpseed::cuda {

/// A search in progress: the remaining bases, the next one in the lowest bits.
struct PackedSearch {
  RowRange rows;
  std::uint64_t bases = 0;
  unsigned left = 0;

  WS_HD bool ended() const { return left == 0 || rows.empty(); }
};

/// Starts with the k-mer table if the pattern is long enough.
/// pattern: `length` bases, 1 to 32, the last one in the lowest two bits.
WS_HD inline PackedSearch start_packed(const index::FmView& fm, std::uint64_t pattern, unsigned length) {
  const unsigned k = fm.kmer_length;
  if (k == 0 || length < k) return {{0, fm.row_count()}, pattern, length};
  const std::uint64_t kmer = pattern & ((std::uint64_t{1} << (2 * k)) - 1);
  return {index::kmer_rows(fm, kmer), pattern >> (2 * k), length - k};
}

WS_HD inline void step_packed(const index::FmView& fm, PackedSearch& search) {
  search.rows = index::extend_left(fm, search.rows, static_cast<unsigned>(search.bases & 3));
  search.bases >>= 2, --search.left;
}

/// The rows that start with the pattern; {} if it does not occur.
WS_HD inline RowRange find_packed(const index::FmView& fm, std::uint64_t pattern, unsigned length) {
  PackedSearch search = start_packed(fm, pattern, length);
  while (!search.ended()) step_packed(fm, search);
  return search.rows.empty() ? RowRange{} : search.rows;
}

/// Memory sectors of the index that find_packed() reads: one of the k-mer table, and per step two rank blocks, or one
/// if both ends of the range are in the same block. (The superblocks stay in the cache.)
WS_HD inline unsigned sectors_of(const index::FmView& fm, std::uint64_t pattern, unsigned length) {
  PackedSearch search = start_packed(fm, pattern, length);
  unsigned sectors = search.left < length ? 1 : 0;
  while (!search.ended()) {
    sectors += search.rows.begin / index::block_symbols == search.rows.end / index::block_symbols ? 1 : 2;
    step_packed(fm, search);
  }
  return sectors;
}

}  // namespace warpseed::cuda
