#include "index/fm_build.cuh"

#include <cub/block/block_scan.cuh>
#include <stdexcept>
#include <vector>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "index/fm_index.hpp"

namespace warpseed::index::cuda {

namespace {

constexpr unsigned blocks_each = superblock_symbols / block_symbols;  // rank blocks per superblock

constexpr unsigned separator_code = 4;

/// The symbol before a suffix; by definition a separator precedes the first symbol of the text.
__device__ unsigned symbol_before(const suffix::cuda::DeviceTextView& text, TextPos position) {
  if (position == 0) return separator_code;
  const unsigned code = text.symbol(position - 1);
  return code == 0 && text.is_separator(position - 1) ? separator_code : code;  // separators are stored as 0
}

/// The rows of the suffix array that are available.
template <class Pos>
struct Rows {
  View<Pos> suffixes;
  Row begin = 0;

  __device__ Row end() const { return begin + suffixes.size; }
  __device__ bool has(Row row) const { return row >= begin && row < end(); }
  __device__ Pos operator[](Row row) const { return suffixes[row - begin]; }

  /// Bit i: row first + i is available.
  __device__ std::uint64_t bits_from(Row first) const {
    const std::uint64_t after = first >= begin ? ~std::uint64_t{0} : ~bits_below(begin - first);
    return end() - first >= block_symbols ? after : after & bits_below(end() - first);
  }
};

/// Another device may have other rows of the block.
__device__ void merge_bits(std::uint64_t& word, std::uint64_t bits) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  if (bits != 0) atomicOr_system(reinterpret_cast<unsigned long long*>(&word), bits);
}

/// One warp per rank block: computes its three bit planes by ballots over two groups of 32 rows. If the rows cover only
/// a part of a block, keeps the bits of the others.
template <class Pos>
__global__ void planes_kernel(suffix::cuda::DeviceTextView text, Rows<Pos> rows, std::uint64_t past_block,
                              RankBlock* blocks) {
  const std::uint64_t index = rows.begin / block_symbols + thread_index() / 32;
  const unsigned lane = lane_id();
  if (index >= past_block) return;
  std::uint64_t low = 0, high = 0, separator = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const Row row = index * block_symbols + 32 * half + lane;
    const unsigned code = rows.has(row) ? symbol_before(text, rows[row]) : 0;
    low |= std::uint64_t{__ballot_sync(all_lanes, code & 1)} << (32 * half);
    high |= std::uint64_t{__ballot_sync(all_lanes, code & 2)} << (32 * half);
    separator |= std::uint64_t{__ballot_sync(all_lanes, code == separator_code)} << (32 * half);
  }
  if (lane != 0) return;
  if (rows.bits_from(index * block_symbols) == ~std::uint64_t{0}) {
    blocks[index].low = low, blocks[index].high = high, blocks[index].separator = separator;
    return;
  }
  merge_bits(blocks[index].low, low), merge_bits(blocks[index].high, high);
  merge_bits(blocks[index].separator, separator);
}

/// Counts of the four bases, added in parallel.
struct BaseCounts {
  std::uint32_t of[4] = {};

  friend __device__ BaseCounts operator+(const BaseCounts& a, const BaseCounts& b) {
    BaseCounts sum;
    for (unsigned base = 0; base < 4; ++base) sum.of[base] = a.of[base] + b.of[base];
    return sum;
  }
};

struct Add {
  __device__ BaseCounts operator()(const BaseCounts& a, const BaseCounts& b) const { return a + b; }
};

/// One thread per rank block, one CUDA block per superblock: counts before each block, and the superblock's total.
__global__ void __launch_bounds__(blocks_each)
    counts_kernel(Row row_count, std::uint64_t block_count, RankBlock* blocks, Superblock* totals) {
  using Scan = cub::BlockScan<BaseCounts, static_cast<int>(blocks_each), cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage storage;
  const std::uint64_t index = std::uint64_t{blockIdx.x} * blocks_each + threadIdx.x;
  BaseCounts counts;
  if (index < block_count) {
    const Row first = index * block_symbols;
    const std::uint64_t rows = row_count - first >= block_symbols ? ~std::uint64_t{0} : bits_below(row_count);
    for (unsigned base = 0; base < 4; ++base) counts.of[base] = count_ones(matches_in(blocks[index], base) & rows);
  }
  BaseCounts before, total;
  Scan(storage).ExclusiveScan(counts, before, BaseCounts{}, Add{}, total);
  if (index < block_count) {
    for (unsigned base = 0; base < 4; ++base) {
      blocks[index].before[base] = static_cast<std::uint16_t>(before.of[base]);
    }
  }
  if (threadIdx.x == 0) {
    for (unsigned base = 0; base < 4; ++base) totals[blockIdx.x].before[base] = total.of[base];
  }
}

template <class Pos>
__global__ void samples_kernel(Rows<Pos> rows, std::uint32_t step, std::uint64_t first, std::uint64_t past,
                               Pos* samples) {
  const std::uint64_t i = first + thread_index();
  if (i < past) samples[i] = rows[i * step];
}

/// One thread per rank block: lists the available rows that follow a separator, and their suffixes, which are segment
/// starts.
template <class Pos>
__global__ void segment_starts_kernel(Rows<Pos> rows, const RankBlock* blocks, std::uint64_t past_block,
                                      unsigned long long* found, std::uint64_t* start_rows, std::uint64_t* starts) {
  const std::uint64_t index = rows.begin / block_symbols + thread_index();
  if (index >= past_block) return;
  const Row first = index * block_symbols;
  for (std::uint64_t bits = blocks[index].separator & rows.bits_from(first); bits != 0; bits &= bits - 1) {
    const Row row = first + static_cast<unsigned>(__ffsll(static_cast<long long>(bits))) - 1;
    const unsigned long long at = atomicAdd_system(found, 1ULL);
    start_rows[at] = row, starts[at] = rows[row];
  }
}

template <class Pos>
__global__ void narrow_kernel(View<std::uint64_t> values, Pos* narrowed) {
  const std::uint64_t i = thread_index();
  if (i < values.size) narrowed[i] = static_cast<Pos>(values[i]);
}

/// One thread per k-mer. An empty range keeps the position where its k-mer would be, as in backward search.
template <class Pos>
__global__ void kmers_kernel(FmView fm, std::uint32_t length, Pos* ranges) {
  const std::uint64_t kmer = thread_index();
  if (kmer >= std::uint64_t{1} << (2 * length)) return;
  RowRange rows = {0, fm.row_count()};
  for (unsigned i = 0; i < length; ++i) rows = extend_left(fm, rows, static_cast<unsigned>(kmer >> (2 * i) & 3));
  ranges[2 * kmer] = static_cast<Pos>(rows.begin);
  ranges[2 * kmer + 1] = static_cast<Pos>(rows.end);
}

template <class Pos>
Pos* entries(Buffer<std::byte>& bytes) {
  return reinterpret_cast<Pos*>(bytes.data());
}

/// Builds the k-mer table, as wide as the other positions of the index.
template <class Pos>
void add_kmers(DeviceIndex& index, std::uint32_t length, const Stream& stream) {
  if (length == 0) return;
  const std::uint64_t kmers = std::uint64_t{1} << (2 * length);
  index.kmer_ranges = Buffer<std::byte>(2 * sizeof(Pos) * kmers, stream);
  launch("kmers_kernel", kmers_kernel<Pos>, kmers, stream, index.view(), length, entries<Pos>(index.kmer_ranges));
  index.kmer_length = length;
}

/// Converts the counts of superblocks to prefix sums and fills first_row.
void add_up(DeviceIndex& index, std::uint64_t segments, const Stream& stream) {
  std::vector<Superblock> superblocks(index.superblocks.size());
  index.superblocks.download(superblocks);
  stream.wait();
  std::uint64_t sums[4] = {};
  for (Superblock& superblock : superblocks) {
    for (unsigned base = 0; base < 4; ++base) {
      std::swap(sums[base], superblock.before[base]);
      sums[base] += superblock.before[base];
    }
  }
  index.superblocks.upload(superblocks);
  stream.wait();
  index.first_row[0] = segments;
  for (unsigned base = 0; base < 4; ++base) index.first_row[base + 1] = index.first_row[base] + sums[base];
}

}  // namespace

FmBuilder::FmBuilder(const FmSizes& sizes, const Stream& stream)
    : stream_(stream), sizes_(sizes), starts_(sizes.segments, stream), starts_found_(1, stream) {
  index_.position_width = sizes.position_width;
  index_.sample_step = sizes.sample_step;
  index_.blocks = Buffer<RankBlock>(sizes.symbols / block_symbols + 1, stream);
  index_.blocks.fill_zero();
  starts_found_.fill_zero();
  index_.superblocks = Buffer<Superblock>(sizes.symbols / superblock_symbols + 1, stream);
  index_.samples =
      Buffer<std::byte>(sizes.position_width * ((sizes.symbols + sizes.sample_step - 1) / sizes.sample_step), stream);
}

template <class Pos>
void FmBuilder::add(Row first_row, const Buffer<Pos>& suffixes, const suffix::cuda::DeviceText& text,
                    const Stream& stream) {
  if (suffixes.size() == 0) return;
  const Rows<Pos> rows = {suffixes.view(), first_row};
  const Row past_row = first_row + suffixes.size();
  const std::uint64_t past_block = (past_row - 1) / block_symbols + 1, blocks = past_block - first_row / block_symbols;
  launch("planes_kernel", planes_kernel<Pos>, 32 * blocks, stream, text.view(), rows, past_block, index_.blocks.data());
  launch("segment_starts_kernel", segment_starts_kernel<Pos>, blocks, stream, rows, index_.blocks.data(), past_block,
         starts_found_.data(), starts_.keys.data(), starts_.values.data());

  const std::uint64_t step = index_.sample_step, first_sample = (first_row + step - 1) / step;
  const std::uint64_t past_sample = (past_row + step - 1) / step;
  launch("samples_kernel", samples_kernel<Pos>, past_sample - first_sample, stream, rows, index_.sample_step,
         first_sample, past_sample, entries<Pos>(index_.samples));
}

template void FmBuilder::add(Row, const Buffer<std::uint32_t>&, const suffix::cuda::DeviceText&, const Stream&);
template void FmBuilder::add(Row, const Buffer<std::uint64_t>&, const suffix::cuda::DeviceText&, const Stream&);

void FmBuilder::put_segment_starts() {
  starts_.sort(sizes_.segments, 0, 64, stream_);
  index_.segment_starts = Buffer<std::byte>(index_.position_width * sizes_.segments, stream_);
  if (index_.position_width == 4)
    launch("narrow_kernel", narrow_kernel<std::uint32_t>, sizes_.segments, stream_, starts_.values.view(),
           entries<std::uint32_t>(index_.segment_starts));
  else
    launch("narrow_kernel", narrow_kernel<std::uint64_t>, sizes_.segments, stream_, starts_.values.view(),
           entries<std::uint64_t>(index_.segment_starts));
}

DeviceIndex FmBuilder::finish() {
  if (starts_found_.value_at(0) != sizes_.segments) throw std::logic_error("FmBuilder: not every row has come once");
  put_segment_starts();
  counts_kernel<<<static_cast<unsigned>(index_.superblocks.size()), blocks_each, 0, stream_.handle()>>>(
      sizes_.symbols, index_.blocks.size(), index_.blocks.data(), index_.superblocks.data());
  check_launch("counts_kernel", stream_.handle());
  add_up(index_, sizes_.segments, stream_);
  const std::uint32_t length = kmer_length_for(sizes_.symbols);
  if (index_.position_width == 4)
    add_kmers<std::uint32_t>(index_, length, stream_);
  else
    add_kmers<std::uint64_t>(index_, length, stream_);
  return std::move(index_);
}

std::uint64_t fm_build_bytes(const FmSizes& sizes) {
  const std::uint64_t ranks = (sizes.symbols / block_symbols + 1) * sizeof(RankBlock);
  const std::uint64_t superblocks = (sizes.symbols / superblock_symbols + 1) * sizeof(Superblock);
  constexpr std::uint64_t start_bytes = 4 * sizeof(std::uint64_t);
  return ranks + superblocks + sizes.position_width * (sizes.symbols / sizes.sample_step + 1) +
         start_bytes * sizes.segments;
}

}  // namespace warpseed::index::cuda
