// Builds the FM-index from a suffix array: one pass over the rows, then the k-mer table by backward search.
#include <algorithm>
#include <cstring>

#include "core/parallel.hpp"
#include "index/fm_index.hpp"

namespace warpseed::index {

namespace {

constexpr std::uint64_t blocks_each = superblock_symbols / block_symbols;

/// Writes an entry of a PositionArray.
void put(std::byte* array, std::uint32_t width, std::uint64_t i, std::uint64_t value) {
  if (width == 4) {
    const auto narrow = static_cast<std::uint32_t>(value);
    std::memcpy(array + 4 * i, &narrow, 4);
  } else {
    std::memcpy(array + 8 * i, &value, 8);
  }
}

/// One bit per symbol, set where a segment starts, which is after a separator.
std::vector<std::uint64_t> mark_segment_starts(const text::GenomeView& genome) {
  std::vector<std::uint64_t> marks(genome.text.size / 64 + 1);
  for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
    const TextPos at = genome.segments[i].text_begin;
    marks[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  return marks;
}

/// Fills the index row by row; superblocks are independent until add_up().
template <class Pos>
class RowPass {
 public:
  RowPass(const text::GenomeView& genome, const std::vector<Pos>& suffixes, FmIndex& index)
      : genome_(genome),
        suffixes_(suffixes),
        index_(index),
        marks_(mark_segment_starts(genome)),
        starts_(index.superblocks.size()) {}

  /// Fills rank blocks [begin, end) of one superblock and the samples of their rows.
  void fill(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t counts[4] = {};
    std::vector<TextPos>& starts = starts_[begin / blocks_each];
    for (std::uint64_t i = begin; i < end; ++i) {
      const Row first = i * block_symbols, last = std::min<Row>(first + block_symbols, suffixes_.size());
      RankBlock block = planes(first, last, starts);
      for (unsigned base = 0; base < 4; ++base) {
        block.before[base] = static_cast<std::uint16_t>(counts[base]);
        const std::uint64_t rows = last - first == block_symbols ? ~std::uint64_t{0} : bits_below(last);
        counts[base] += count_ones(matches_in(block, base) & rows);
      }
      index_.blocks[i] = block;
      sample(first, last);
    }
    std::copy(std::begin(counts), std::end(counts), index_.superblocks[begin / blocks_each].before);
  }

  /// Converts the counts within superblocks to prefix sums, then fills first_row and the segment starts.
  void add_up() {
    std::uint64_t sums[4] = {}, next_start = 0;
    for (std::uint64_t i = 0; i < starts_.size(); ++i) {
      for (unsigned base = 0; base < 4; ++base) {
        std::swap(sums[base], index_.superblocks[i].before[base]);
        sums[base] += index_.superblocks[i].before[base];
      }
      for (const TextPos at : starts_[i]) {
        put(index_.segment_starts.data(), index_.position_width, next_start++, at);
      }
    }
    index_.first_row[0] = genome_.segment_count();
    for (unsigned base = 0; base < 4; ++base) {
      index_.first_row[base + 1] = index_.first_row[base] + sums[base];
    }
  }

 private:
  /// The BWT symbols of rows [begin, end), at most a block; appends to `starts` the suffixes that follow a separator.
  RankBlock planes(Row begin, Row end, std::vector<TextPos>& starts) const {
    constexpr Row ahead = 32;  // prefetch distance in rows; covers a cache miss
    RankBlock block;
    for (Row row = begin; row < end; ++row) {
      if (row + ahead < suffixes_.size()) __builtin_prefetch(genome_.text.words + suffixes_[row + ahead] / 32);
      const TextPos at = suffixes_[row];
      const std::uint64_t bit = row - begin;
      const std::uint64_t code = at == 0 ? 0 : genome_.text[at - 1];
      if (code == 0 && (marks_[at / 64] >> (at % 64) & 1) != 0) {
        block.separator |= std::uint64_t{1} << bit;
        starts.push_back(at);
      }
      block.low |= (code & 1) << bit;
      block.high |= (code >> 1) << bit;
    }
    return block;
  }

  void sample(Row begin, Row end) {
    const std::uint64_t step = index_.sample_step;
    for (Row row = (begin + step - 1) / step * step; row < end; row += step) {
      put(index_.samples.data(), index_.position_width, row / step, suffixes_[row]);
    }
  }

  const text::GenomeView& genome_;
  const std::vector<Pos>& suffixes_;
  FmIndex& index_;
  const std::vector<std::uint64_t> marks_;
  std::vector<std::vector<TextPos>> starts_;  // by superblock, in row order
};

/// Builds the table of k = j+1 from that of k = j: base·S is 4^j * base entries after S. An empty range keeps the
/// position where its k-mer would be, as in backward search.
void fill_kmer_ranges(FmIndex& index, int threads) {
  const std::uint32_t length = kmer_length_for(index.first_row[4]), width = index.position_width;
  if (length == 0) return;
  index.kmer_ranges.resize(std::uint64_t{2} * width << 2 * length);
  const FmView fm = index.view();
  std::byte* ranges = index.kmer_ranges.data();
  put(ranges, width, 0, 0);
  put(ranges, width, 1, fm.row_count());
  for (std::uint64_t count = 1; count < std::uint64_t{1} << 2 * length; count *= 4) {
    for_blocks(threads, count, 1 << 12, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t kmer = begin; kmer < end; ++kmer) {
        const RowRange rows = kmer_rows(fm, kmer);
        for (unsigned base = 0; base < 4; ++base) {
          const RowRange longer = extend_left(fm, rows, base);
          put(ranges, width, 2 * (base * count + kmer), longer.begin);
          put(ranges, width, 2 * (base * count + kmer) + 1, longer.end);
        }
      }
    });
  }
  index.kmer_length = length;
}

}  // namespace

template <class Pos>
FmIndex fm_index_from(const text::GenomeView& genome, const std::vector<Pos>& suffixes, std::uint32_t sample_step,
                      int threads) {
  const std::uint64_t rows = suffixes.size();
  FmIndex index;
  index.position_width = fits_narrow(rows) ? 4 : 8;
  index.sample_step = sample_step;
  index.blocks.resize(rows / block_symbols + 1);
  index.superblocks.resize(rows / superblock_symbols + 1);
  index.samples.resize((rows + sample_step - 1) / sample_step * index.position_width);
  index.segment_starts.resize(genome.segment_count() * index.position_width);
  RowPass<Pos> pass(genome, suffixes, index);
  for_blocks(threads, index.blocks.size(), blocks_each,
             [&](std::uint64_t begin, std::uint64_t end) { pass.fill(begin, end); });
  pass.add_up();
  fill_kmer_ranges(index, threads);
  return index;
}

template FmIndex fm_index_from(const text::GenomeView&, const std::vector<std::uint32_t>&, std::uint32_t, int);
template FmIndex fm_index_from(const text::GenomeView&, const std::vector<std::uint64_t>&, std::uint32_t, int);

}  // namespace warpseed::index
