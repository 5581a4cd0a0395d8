#include "index/fm_build.cuh"

#include <cub/block/block_scan.cuh>
#include <vector>

#include "core/launch.cuh"
#include "index/fm_index.hpp"

namespace warpseed::cuda {

namespace {

constexpr unsigned blocks_each = superblock_symbols / block_symbols;  // rank blocks of a superblock

constexpr unsigned separator_code = 4;

/// The symbol before a suffix; before the first one of the text stands a separator by definition.
__device__ unsigned symbol_before(const DeviceTextView& text, TextPos position) {
  if (position == 0) return separator_code;
  const unsigned code = text.symbol(position - 1);
  return code == 0 && text.is_separator(position - 1) ? separator_code : code;  // a separator's place holds 0
}

/// One warp a rank block: its three planes by ballots over two times 32 rows.
__global__ void planes_kernel(DeviceTextView text, View<std::uint32_t> suffixes, std::uint64_t block_count,
                              RankBlock* blocks) {
  const std::uint64_t index = thread_index() / 32;
  const unsigned lane = threadIdx.x % 32;
  if (index >= block_count) return;
  std::uint64_t low = 0, high = 0, separator = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const Row row = index * block_symbols + 32 * half + lane;
    const unsigned code = row < suffixes.size ? symbol_before(text, suffixes[row]) : 0;
    low |= std::uint64_t{__ballot_sync(0xFFFFFFFFU, code & 1)} << (32 * half);
    high |= std::uint64_t{__ballot_sync(0xFFFFFFFFU, code & 2)} << (32 * half);
    separator |= std::uint64_t{__ballot_sync(0xFFFFFFFFU, code == separator_code)} << (32 * half);
  }
  if (lane == 0) blocks[index].low = low, blocks[index].high = high, blocks[index].separator = separator;
}

/// Counts of the four bases, added side by side.
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

/// One thread a rank block, one CUDA block a superblock: counts before each block, and the superblock's total.
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

__global__ void samples_kernel(View<std::uint32_t> suffixes, std::uint32_t step, std::uint64_t count,
                               std::uint32_t* samples) {
  const std::uint64_t i = thread_index();
  if (i < count) samples[i] = suffixes[i * step];
}

/// One thread a rank block: the rows whose symbol is a separator go to their places in row order.
__global__ void segment_starts_kernel(FmView fm, const std::uint32_t* suffixes, std::uint32_t* starts) {
  const std::uint64_t index = thread_index();
  if (index >= fm.blocks.size) return;
  const RankBlock block = load_block(fm, index * block_symbols);
  if (block.separator == 0) return;
  const Row first = index * block_symbols;
  std::uint64_t next = first;  // the rows before this block, less those that are bases
  for (unsigned base = 0; base < 4; ++base) next -= rank_in(fm, block, base, first);
  for (std::uint64_t bits = block.separator; bits != 0; bits &= bits - 1) {
    const unsigned bit = static_cast<unsigned>(__ffsll(static_cast<long long>(bits))) - 1;
    starts[next++] = suffixes[first + bit];
  }
}

/// One thread a k-mer. A range that is empty keeps the place where its k-mer would stand: backward search does.
__global__ void kmers_kernel(FmView fm, std::uint32_t length, std::uint32_t* ranges) {
  const std::uint64_t kmer = thread_index();
  if (kmer >= std::uint64_t{1} << (2 * length)) return;
  RowRange rows = {0, fm.row_count()};
  for (unsigned i = 0; i < length; ++i) rows = extend_left(fm, rows, static_cast<unsigned>(kmer >> (2 * i) & 3));
  ranges[2 * kmer] = static_cast<std::uint32_t>(rows.begin);
  ranges[2 * kmer + 1] = static_cast<std::uint32_t>(rows.end);
}

std::uint32_t* entries(Buffer<std::byte>& bytes) {
  return reinterpret_cast<std::uint32_t*>(bytes.data());
}

/// Turns the superblocks' own counts into counts before them, and fills first_row.
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

DeviceIndex fm_index_on_device(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, std::uint64_t segments,
                               std::uint32_t sample_step, const Stream& stream) {
  const std::uint64_t rows = text.size();
  const std::uint64_t block_count = rows / block_symbols + 1, superblock_count = rows / superblock_symbols + 1;
  const std::uint64_t sample_count = (rows + sample_step - 1) / sample_step;
  DeviceIndex index;
  index.sample_step = sample_step;
  index.blocks = Buffer<RankBlock>(block_count, stream);
  index.superblocks = Buffer<Superblock>(superblock_count, stream);
  launch("planes_kernel", planes_kernel, 32 * block_count, stream, text.view(), suffixes.view(), block_count,
         index.blocks.data());
  counts_kernel<<<static_cast<unsigned>(superblock_count), blocks_each, 0, stream.handle()>>>(
      rows, block_count, index.blocks.data(), index.superblocks.data());
  check_launch("counts_kernel", stream.handle());
  add_up(index, segments, stream);

  index.samples = Buffer<std::byte>(4 * sample_count, stream);
  launch("samples_kernel", samples_kernel, sample_count, stream, suffixes.view(), sample_step, sample_count,
         entries(index.samples));
  index.segment_starts = Buffer<std::byte>(4 * segments, stream);
  launch("segment_starts_kernel", segment_starts_kernel, block_count, stream, index.view(), suffixes.data(),
         entries(index.segment_starts));
  const std::uint32_t length = kmer_length_for(rows);
  if (length == 0) return index;
  index.kmer_ranges = Buffer<std::byte>(std::uint64_t{8} << (2 * length), stream);
  launch("kmers_kernel", kmers_kernel, std::uint64_t{1} << (2 * length), stream, index.view(), length,
         entries(index.kmer_ranges));
  index.kmer_length = length;
  return index;
}

}  // namespace warpseed::cuda
