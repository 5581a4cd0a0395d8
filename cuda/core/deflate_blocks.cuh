// The kernels that deflate the blocks of a batch, as core/deflate_core.hpp defines their streams.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/deflate_tokens.hpp"
#include "core/view.hpp"

namespace warpseed::deflate::cuda {

/// begin: in the batch's bytes, which are followed by zeros for all comparisons. Pieces: [first_piece, end_piece).
struct Block {
  std::uint32_t begin, size, first_piece, end_piece;
};

/// begin: in its block.
struct Piece {
  std::uint32_t block;
  std::uint16_t begin, size;
  FieldKind kind;
};

/// Bytes [begin, begin + size) of all that was packed; size 0 if a stored block is shorter.
struct Packed {
  std::uint32_t begin, size;
};

/// What is known of the match that may begin at a position; in memory, one word for each byte of the batch.
class Found {
 public:
  Found() = default;

  /// The position belongs to the stretch that ends at `end`, and its match is not known yet.
  __device__ static Found in_stretch(std::uint32_t end) { return Found(stretch_flag | end); }

  /// sure: the best candidate's length, compared over sure_bytes; 0 where that does not matter.
  __device__ static Found match(std::uint32_t length, std::uint32_t distance, std::uint32_t sure = 0) {
    return Found(sure << sure_shift | (distance - 1) << distance_shift | length);
  }

  /// Compared over sure_bytes there was one, but it is out of reach.
  __device__ static Found no_match(std::uint32_t sure) { return Found(sure << sure_shift); }

  __device__ bool is_in_stretch() const { return (value_ & stretch_flag) != 0; }
  __device__ std::uint32_t stretch_end() const { return value_ & ~stretch_flag; }

  /// 0: no match.
  __device__ std::uint32_t length() const { return value_ & ((1U << distance_shift) - 1); }
  __device__ std::uint32_t distance() const {
    return (value_ >> distance_shift & ((1U << (sure_shift - distance_shift)) - 1)) + 1;
  }
  __device__ std::uint32_t sure() const { return value_ >> sure_shift; }

 private:
  static constexpr std::uint32_t distance_shift = 9, sure_shift = 24, stretch_flag = 1U << 31;
  static_assert(max_match < 1U << distance_shift && max_distance == 1U << (sure_shift - distance_shift));
  static_assert(sure_bytes < 1U << (31 - sure_shift));

  __device__ explicit Found(std::uint32_t value) : value_(value) {}

  std::uint32_t value_;
};

/// A batch on the device. Words of memory for each byte: [bytes.size].
struct BatchView {
  View<std::uint8_t> bytes;
  View<Block> blocks;
  View<Piece> pieces;
  std::uint64_t* candidates;  // of the positions that belong to a table: the last four before, the nearest lowest
  Found* found;
};

/// Finds the match of every position of a table. Kernels: mark_runs_kernel (a thread a piece), list_candidates_kernel (a
/// warp a block and table), find_matches_kernel (a warp a piece).
void find_matches(const BatchView& batch, const Stream& stream);

/// Chooses the tokens of all pieces and writes the streams: encode_kernel, 256 threads a block. Uses `found` up.
/// out: [out_words], zero; *out_bytes, zero at first, gets the end of what is used. packed: [blocks].
void encode(const BatchView& batch, std::uint32_t* out, std::uint32_t* out_bytes, Packed* packed, const Stream& stream);

/// CRC-32 of each block: take_checksums_kernel, 256 threads a block. checksums: [blocks].
void take_checksums(const BatchView& batch, std::uint32_t* checksums, const Stream& stream);

}  // namespace warpseed::deflate::cuda
