#include "index/device_index.cuh"

#include <algorithm>
#include <array>

#include "core/transfer.cuh"

namespace warpseed::index::cuda {

FmView DeviceIndex::view() const {
  const auto positions = [&](const Buffer<std::byte>& bytes) {
    return PositionArray{bytes.data(), bytes.size() / position_width, position_width};
  };
  FmView fm;
  fm.blocks = blocks.view();
  fm.superblocks = superblocks.view();
  std::copy(std::begin(first_row), std::end(first_row), std::begin(fm.first_row));
  fm.samples = positions(samples);
  fm.sample_step = sample_step;
  fm.segment_starts = positions(segment_starts);
  fm.kmer_ranges = positions(kmer_ranges);
  fm.kmer_length = kmer_length;
  return fm;
}

std::uint64_t device_bytes(const FmView& fm) {
  constexpr std::uint64_t margin = std::uint64_t{16} << 20;  // each buffer is rounded up to 2 MiB
  return fm.blocks.bytes() + fm.superblocks.bytes() + fm.samples.bytes() + fm.segment_starts.bytes() +
         fm.kmer_ranges.bytes() + margin;
}

DeviceIndex upload_index(const FmView& fm, const Stream& stream, int threads) {
  stream.pool().require(device_bytes(fm), "searching this index");
  DeviceIndex index;
  index.blocks = Buffer<RankBlock>(fm.blocks.size, stream);
  index.superblocks = Buffer<Superblock>(fm.superblocks.size, stream);
  index.samples = Buffer<std::byte>(fm.samples.bytes(), stream);
  index.segment_starts = Buffer<std::byte>(fm.segment_starts.bytes(), stream);
  index.kmer_ranges = Buffer<std::byte>(fm.kmer_ranges.bytes(), stream);
  std::copy(std::begin(fm.first_row), std::end(fm.first_row), std::begin(index.first_row));
  index.position_width = fm.samples.width;
  index.sample_step = fm.sample_step;
  index.kmer_length = fm.kmer_length;

  stream.wait();  // the copies below use streams of their own
  const std::array<Copy, 5> arrays = {{
      {index.blocks.data(), fm.blocks.data, fm.blocks.bytes()},
      {index.superblocks.data(), fm.superblocks.data, fm.superblocks.bytes()},
      {index.samples.data(), fm.samples.data, fm.samples.bytes()},
      {index.segment_starts.data(), fm.segment_starts.data, fm.segment_starts.bytes()},
      {index.kmer_ranges.data(), fm.kmer_ranges.data, fm.kmer_ranges.bytes()},
  }};
  upload(arrays, stream.pool(), threads);
  return index;
}

}  // namespace warpseed::index::cuda
