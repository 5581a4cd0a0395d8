// The index's views, apart from its construction: what reads an index needs no suffix sorting.
#include "index/fm_index.hpp"

#include <algorithm>

namespace warpseed::index {

FmView FmIndex::view() const {
  FmView fm;
  fm.blocks = std::span(blocks);
  fm.superblocks = std::span(superblocks);
  std::copy(std::begin(first_row), std::end(first_row), std::begin(fm.first_row));
  const auto positions = [&](const ZeroedArray<std::byte>& bytes) {
    return PositionArray{bytes.data(), bytes.size() / position_width, position_width};
  };
  fm.samples = positions(samples);
  fm.sample_step = sample_step;
  fm.segment_starts = positions(segment_starts);
  fm.kmer_ranges = positions(kmer_ranges);
  fm.kmer_length = kmer_length;
  return fm;
}

std::uint32_t kmer_length_for(std::uint64_t text_size) {
  const std::uint64_t entry_bytes = fits_narrow(text_size) ? 8 : 16;
  std::uint32_t k = 0;
  while (k < 13 && (entry_bytes << 2 * (k + 1)) <= text_size / 4 * 3) ++k;
  return k;
}

}  // namespace warpseed::index
