#include "index/fm_builder.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel.hpp"
#include "index/kmer_table.hpp"
#include "index/position_bytes.hpp"

namespace warpseed::index {

namespace {

constexpr std::uint64_t blocks_each = superblock_symbols / block_symbols;

/// Neighbouring rows may come from another thread at the same time.
void merge(std::uint64_t& word, std::uint64_t bits) {
  std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
}

void merge(RankBlock& block, const RankBlock& bits) {
  merge(block.low, bits.low), merge(block.high, bits.high), merge(block.separator, bits.separator);
}

}  // namespace

FmBuilder::FmBuilder(const text::GenomeView& genome, std::uint32_t sample_step) : genome_(genome), separators_(genome) {
  const std::uint64_t rows = genome.text.size;
  index_.position_width = fits_narrow(rows) ? 4 : 8;
  index_.sample_step = sample_step;
  index_.blocks.resize(rows / block_symbols + 1);
  index_.superblocks.resize(rows / superblock_symbols + 1);
  index_.samples.resize((rows + sample_step - 1) / sample_step * index_.position_width);
  index_.segment_starts.resize(genome.segment_count() * index_.position_width);
}

bool FmBuilder::starts_segment(TextPos at) const {
  const suffix::SeparatorView separators = separators_.view();
  return at == 0 || (separators.maybe_near(at - 1) && separators.at(at - 1));
}

/// The symbols upstream of rows [begin, end), counted from the first one, of one block. Appends to `starts`.
template <class Pos>
RankBlock FmBuilder::planes(const suffix::SortedRows<Pos>& rows, std::uint64_t begin, std::uint64_t end,
                            std::vector<SegmentStart>& starts) const {
  RankBlock block;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t code = rows.upstream(i);
    const unsigned bit = static_cast<unsigned>((rows.first + i) % block_symbols);
    if (code == 0 && starts_segment(rows.position(i))) {
      block.separator |= std::uint64_t{1} << bit;
      starts.push_back({rows.first + i, rows.position(i)});
    }
    block.low |= (code & 1) << bit;
    block.high |= (code >> 1) << bit;
  }
  return block;
}

template <class Pos>
void FmBuilder::sample(const suffix::SortedRows<Pos>& rows) {
  const std::uint64_t step = index_.sample_step, past = rows.first + rows.count();
  for (Row row = (rows.first + step - 1) / step * step; row < past; row += step) {
    put_position(index_.samples.data(), index_.position_width, row / step, rows.position(row - rows.first));
  }
}

template <class Pos>
void FmBuilder::add(const suffix::SortedRows<Pos>& rows) {
  std::vector<SegmentStart> starts;
  for (std::uint64_t begin = 0, end = 0; begin < rows.count(); begin = end) {
    const Row row = rows.first + begin;
    end = std::min(rows.count(), begin + block_symbols - row % block_symbols);
    const RankBlock block = planes(rows, begin, end, starts);
    if (end - begin == block_symbols)
      index_.blocks[row / block_symbols] = block;
    else
      merge(index_.blocks[row / block_symbols], block);
  }
  sample(rows);
  if (starts.empty()) return;
  const std::scoped_lock lock(starts_mutex_);
  starts_.insert(starts_.end(), starts.begin(), starts.end());
}

template void FmBuilder::add(const suffix::SortedRows<std::uint32_t>&);
template void FmBuilder::add(const suffix::SortedRows<std::uint64_t>&);

/// Counts within superblocks, then their sums.
void FmBuilder::count_bases(int threads) {
  const Row past_row = genome_.text.size;
  for_blocks(threads, index_.blocks.size(), blocks_each, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t counts[4] = {};
    for (std::uint64_t i = begin; i < end; ++i) {
      RankBlock& block = index_.blocks[i];
      const std::uint64_t rows =
          past_row - i * block_symbols >= block_symbols ? ~std::uint64_t{0} : bits_below(past_row);
      for (unsigned base = 0; base < 4; ++base) {
        block.before[base] = static_cast<std::uint16_t>(counts[base]);
        counts[base] += count_ones(matches_in(block, base) & rows);
      }
    }
    std::copy(std::begin(counts), std::end(counts), index_.superblocks[begin / blocks_each].before);
  });
  std::uint64_t sums[4] = {};
  for (Superblock& superblock : index_.superblocks) {
    for (unsigned base = 0; base < 4; ++base) {
      std::swap(sums[base], superblock.before[base]);
      sums[base] += superblock.before[base];
    }
  }
  index_.first_row[0] = genome_.segment_count();
  for (unsigned base = 0; base < 4; ++base) index_.first_row[base + 1] = index_.first_row[base] + sums[base];
}

void FmBuilder::put_segment_starts() {
  std::sort(starts_.begin(), starts_.end());
  for (std::uint64_t i = 0; i < starts_.size(); ++i) {
    put_position(index_.segment_starts.data(), index_.position_width, i, starts_[i].position);
  }
}

FmIndex FmBuilder::finish(int threads) {
  count_bases(threads);
  put_segment_starts();
  fill_kmer_ranges(index_, threads);
  return std::move(index_);
}

}  // namespace warpseed::index
