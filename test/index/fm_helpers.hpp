// Compares FM-indexes, and converts one with 4-byte positions to 8 bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/fm_index.hpp"

namespace warpseed::test {

template <class Array>
bool same_array(const Array& a, const Array& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

inline bool same_bytes(const index::FmIndex& a, const index::FmIndex& b) {
  return same_array(a.blocks, b.blocks) && same_array(a.superblocks, b.superblocks) &&
         std::equal(std::begin(a.first_row), std::end(a.first_row), std::begin(b.first_row)) &&
         a.samples == b.samples && a.segment_starts == b.segment_starts && a.kmer_ranges == b.kmer_ranges &&
         a.position_width == b.position_width && a.sample_step == b.sample_step && a.kmer_length == b.kmer_length;
}

/// The same index with 8-byte positions, as for texts beyond narrow_limit.
inline index::FmIndex widened(index::FmIndex index) {
  const auto widen = [](ZeroedArray<std::byte>& array) {
    ZeroedArray<std::byte> wide(2 * array.size());
    for (std::size_t i = 0; i < array.size() / 4; ++i) std::memcpy(&wide[8 * i], &array[4 * i], 4);
    array = std::move(wide);
  };
  widen(index.samples);
  widen(index.segment_starts);
  widen(index.kmer_ranges);
  index.position_width = 8;
  return index;
}

}  // namespace warpseed::test
