// The rows of the suffix array whose words may begin matches.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::overlap::cuda {

/// The side of each suffix.
struct WordSides {
  std::uint32_t target_end = 0;  // lower positions are targets
  bool self = false;             // the targets are the queries as well; else all other positions are queries
  std::uint32_t shortest = 1;    // word length in bases

  __device__ bool is_target(std::uint32_t position) const { return position < target_end; }
  __device__ bool is_query(std::uint32_t position) const { return self || position >= target_end; }
};

/// The kept rows as kernels read them.
struct WordRowsView {
  const std::uint32_t* positions;
  const std::uint32_t* words;
  const std::uint8_t* lefts;
  std::uint64_t count;
};

struct WordRows {
  Buffer<std::uint32_t> positions;  // [rows]
  Buffer<std::uint32_t> words;      // [rows] number of the row's word, from 0
  Buffer<std::uint8_t> lefts;       // [rows] the preceding base, 4 if there is none
  std::uint64_t word_count = 0;

  WordRowsView view() const { return {positions.data(), words.data(), lefts.data(), positions.size()}; }
};

enum class Side { target, query };

/// The indices of the rows of one side, in order.
Buffer<std::uint32_t> rows_of(const WordRows& rows, const WordSides& sides, Side side, const Stream& stream);

/// Sorts the text and keeps the words that occur on both sides after different bases (and those of more than 64 rows
/// regardless of these bases). The rows are in suffix array order, so those of one word are adjacent.
/// Memory: that of sorting, then 9.2 bytes per symbol in addition to the kept rows.
WordRows find_word_rows(const suffix::cuda::DeviceText& text, const WordSides& sides, const Stream& stream);

}  // namespace warpseed::overlap::cuda
