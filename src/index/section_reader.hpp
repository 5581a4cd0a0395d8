// The sections of an index file as arrays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index/fm_core.hpp"
#include "index/index_format.hpp"

namespace warpseed::index {

/// Reads a file whose section table is right; what positions() and fm() return needs right metadata as well. Owns nothing.
class SectionReader {
 public:
  SectionReader(std::span<const std::byte> file, const format::Front& front) : file_(file), front_(front) {}

  std::uint64_t bytes(std::uint32_t id) const { return front_.entries[id].bytes; }

  /// With the zeros up to the next section.
  std::span<const std::byte> padded(std::uint32_t id) const {
    return file_.subspan(front_.entries[id].offset, format::padded(bytes(id)));
  }

  template <class T>
  View<T> array(std::uint32_t id) const {
    return {reinterpret_cast<const T*>(file_.data() + front_.entries[id].offset), bytes(id) / sizeof(T)};
  }

  PositionArray positions(std::uint32_t id) const {
    const std::uint32_t width = metadata().position_width;
    return {array<std::byte>(id).data, bytes(id) / width, width};
  }

  const format::Metadata& metadata() const { return *array<format::Metadata>(format::metadata).data; }

  FmView fm() const {
    FmView fm;
    fm.blocks = array<RankBlock>(format::rank_blocks);
    fm.superblocks = array<Superblock>(format::superblocks);
    std::copy(metadata().first_row.begin(), metadata().first_row.end(), fm.first_row);
    fm.samples = positions(format::samples);
    fm.sample_step = metadata().sample_step;
    fm.segment_starts = positions(format::segment_starts);
    fm.kmer_ranges = positions(format::kmer_ranges);
    fm.kmer_length = metadata().kmer_length;
    return fm;
  }

 private:
  std::span<const std::byte> file_;
  const format::Front& front_;
};

}  // namespace warpseed::index
