#include "index/fm_check.hpp"

#include <algorithm>
#include <cstring>

namespace warpseed::index {

namespace {

constexpr std::uint64_t superblock_blocks = superblock_symbols / block_symbols;

/// Numbers of A, C, G and T, each in 16 bits, as RankBlock::before has them.
using FourCounts = std::uint64_t;

FourCounts stored_counts(const RankBlock& block) {
  FourCounts counts;
  std::memcpy(&counts, block.before, sizeof(counts));
  return counts;
}

/// Of a whole block: at most 64 each.
FourCounts counts_in(const RankBlock& block) {
  const std::uint64_t both = count_ones(block.low & block.high), low = count_ones(block.low),
                      high = count_ones(block.high), bases = block_symbols - count_ones(block.separator);
  return (bases + both - low - high) | (low - both) << 16 | (high - both) << 32 | both << 48;
}

/// Symbols of the block of the last row that are rows.
std::uint64_t count_of(const RankBlock& block, unsigned base, Row rows) {
  return count_ones(matches_in(block, base) & (rows < block_symbols ? bits_below(rows) : ~std::uint64_t{0}));
}

/// The counts of a superblock's blocks, [begin, end) of all, and those of its end.
bool superblock_is_right(const FmView& fm, std::uint64_t begin, std::uint64_t end) {
  FourCounts counts = 0;
  std::uint64_t wrong = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const RankBlock& block = fm.blocks[i];
    wrong |= (stored_counts(block) ^ counts) | ((block.low | block.high) & block.separator);
    if (i + 1 < end) counts += counts_in(block);  // after the last block 16 bits may not do
  }
  const std::uint64_t number = begin / superblock_blocks;
  const RankBlock& last = fm.blocks[end - 1];
  const Row rows = std::min<Row>(fm.row_count() - (end - 1) * block_symbols, block_symbols);
  for (unsigned base = 0; base < 4; ++base) {
    const std::uint64_t first = fm.superblocks[number].before[base];
    const std::uint64_t next = number + 1 < fm.superblocks.size ? fm.superblocks[number + 1].before[base]
                                                                : fm.first_row[base + 1] - fm.first_row[base];
    wrong |= next - first != before_in(last, base) + count_of(last, base, rows);
    wrong |= number == 0 && first != 0;
  }
  return wrong == 0;
}

}  // namespace

bool ranks_are_right(const FmView& fm, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t first = begin; first < end; first += superblock_blocks) {
    if (!superblock_is_right(fm, first, std::min(first + superblock_blocks, end))) return false;
  }
  return true;
}

}  // namespace warpseed::index
