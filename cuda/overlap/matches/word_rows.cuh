// The rows of the suffix array with whose words matches may begin.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::overlap::cuda {

/// Which suffixes are of which side.
struct WordSides {
  std::uint32_t target_end = 0;  // positions below are targets
  bool self = false;             // all are queries as well, else the others
  std::uint32_t shortest = 1;    // bases of a word

  __device__ bool is_target(std::uint32_t position) const { return position < target_end; }
  __device__ bool is_query(std::uint32_t position) const { return self || position >= target_end; }
};

/// The rows kept, as kernels read them.
struct WordRowsView {
  const std::uint32_t* positions;
  const std::uint32_t* words;
  const std::uint8_t* lefts;
  std::uint64_t count;
};

struct WordRows {
  Buffer<std::uint32_t> positions;  // [rows]
  Buffer<std::uint32_t> words;      // [rows] number of the row's word, counted from 0
  Buffer<std::uint8_t> lefts;       // [rows] the base before, 4 where there is none
  std::uint64_t word_count = 0;

  WordRowsView view() const { return {positions.data(), words.data(), lefts.data(), positions.size()}; }
};

enum class Side { target, query };

/// The numbers of the rows of one side, in order.
Buffer<std::uint32_t> rows_of(const WordRows& rows, const WordSides& sides, Side side, const Stream& stream);

/// Sorts the text and keeps the words that stand on both sides after different bases (and those of more than 64 rows
/// whatever they follow). The rows are in the suffix array's order, those of one word stand together.
/// Memory: what sorting takes, then 9.2 bytes a symbol beside the rows kept.
WordRows find_word_rows(const suffix::cuda::DeviceText& text, const WordSides& sides, const Stream& stream);

}  // namespace warpseed::overlap::cuda
