// The best two-piece path between two corners, found by a warp: the result of align_between().
#pragma once

#include <cstdint>

#include "align/extend/warp_genome.cuh"
#include "align/long_reads/two_piece_core.hpp"
#include "align/packed_strand.hpp"
#include "core/warp.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The most bases of either side.
constexpr std::int32_t longest_warp_piece = 512;

/// The most elements of a path's CIGAR: more than paths of this length have, but for random bases.
constexpr std::uint32_t most_warp_elements = 128;

/// Shared memory of a warp.
struct TwoPieceMemory {
  std::uint8_t query[longest_warp_piece];  // codes
  std::uint32_t edge[longest_warp_piece];  // [query bases] v, x and x2 of the last genome base of a strip
  std::uint32_t elements[most_warp_elements];
};

/// The matrix in strips of 32 genome bases, a lane each. Lanes go down the query, each a base behind the lane before.
struct TwoPieceStrips {
  std::int32_t query_length, genome_length;
  DiagonalBand band;

  static constexpr auto lanes = static_cast<std::int32_t>(warp_threads);

  __device__ std::int32_t count() const { return (genome_length + lanes - 1) / lanes; }

  /// The query bases [first, last] that a strip has cells of.
  __device__ std::int32_t first_query(std::int32_t strip) const { return max(0, strip * lanes - band.highest); }
  __device__ std::int32_t last_query(std::int32_t strip) const {
    return min(query_length - 1, strip * lanes + lanes - 1 - band.lowest);
  }

  /// At least the rows of lanes of any strip.
  __device__ std::int32_t rows() const { return min(query_length, band.highest - band.lowest + lanes) + lanes - 1; }

  /// The memory for steps, in bytes.
  __device__ std::uint64_t step_bytes() const {
    return static_cast<std::uint64_t>(count()) * static_cast<std::uint64_t>(rows() * lanes);
  }

  /// Where the step of cell (genome base i, query base j) is.
  __device__ std::uint32_t step_index(std::int32_t i, std::int32_t j) const {
    const std::int32_t strip = i / lanes, lane = i % lanes;
    return static_cast<std::uint32_t>((strip * rows() + j + lane - first_query(strip)) * lanes + lane);
  }
};

/// Three values of 8 bits in one word, to be passed from lane to lane.
__device__ inline std::uint32_t pack_edge(const TwoPieceCell& cell) {
  return (static_cast<std::uint32_t>(cell.v) & 255) | (static_cast<std::uint32_t>(cell.x) & 255) << 8 |
         (static_cast<std::uint32_t>(cell.x2) & 255) << 16;
}
__device__ inline void unpack_edge(std::uint32_t edge, TwoPieceCell& cell) {
  cell.v = static_cast<std::int8_t>(edge), cell.x = static_cast<std::int8_t>(edge >> 8);
  cell.x2 = static_cast<std::int8_t>(edge >> 16);
}

/// A DP by all lanes of a warp, which call everything with the same arguments. steps: [strips.step_bytes()].
class WarpTwoPieceDp {
 public:
  __device__ WarpTwoPieceDp(const TwoPieceStrips& strips, const LongScoring& scoring, TwoPieceMemory& memory,
                            std::uint8_t* steps)
      : strips_(strips), scoring_(scoring), memory_(memory), steps_(steps) {}

  /// Fills the matrix for query bases from `from` on and the genome from `begin` on.
  __device__ void fill(const PackedStrand& query, std::uint32_t from, const text::GenomeView& genome, GenomePos begin) {
    for_lanes(static_cast<std::uint32_t>(strips_.query_length), [&](std::uint32_t j) {
      memory_.query[j] = query.unknown[from + j] != 0 ? text::code_n : query.bases[from + j];
    });
    const auto length = static_cast<std::uint32_t>(strips_.genome_length);
    std::int32_t strip = 0;
    for_codes(genome, begin, length, [&](std::uint32_t, std::uint8_t code) { fill_strip(strip++, code); });
  }

  /// Walks back along the best path, in one lane: sets memory.elements, the last one first. Returns their number in all
  /// lanes, 0 if there is too little room.
  __device__ std::uint32_t walk() {
    std::uint32_t count = 0;
    if (lane_id() == 0) {
      walk_two_piece_path(
          strips_.genome_length - 1, strips_.query_length - 1,
          [&](std::int32_t i, std::int32_t j) { return steps_[strips_.step_index(i, j)]; },
          [&](int op, std::int32_t length) { emit(static_cast<std::uint32_t>(op), length, count); });
    }
    __syncwarp();
    count = __shfl_sync(all_lanes, count, 0);
    return count <= most_warp_elements ? count : 0;
  }

 private:
  __device__ void fill_strip(std::int32_t strip, std::uint8_t base) {
    const auto lane = static_cast<std::int32_t>(lane_id());
    const std::int32_t i = strip * TwoPieceStrips::lanes + lane;
    const std::int32_t first = strips_.first_query(strip), last = strips_.last_query(strip);
    std::uint8_t* steps = steps_ + static_cast<std::int64_t>(strip) * strips_.rows() * TwoPieceStrips::lanes + lane;
    TwoPieceCell cell;
    std::uint32_t edge = 0;
#pragma unroll 1
    for (std::int32_t row = first; row < last + TwoPieceStrips::lanes; ++row) {
      const std::int32_t j = row - lane;
      const bool inside = j >= 0 && j < strips_.query_length && i < strips_.genome_length;
      edge = __shfl_up_sync(all_lanes, edge, 1);
      if (lane == 0 && strip > 0 && inside) edge = memory_.edge[j];
      unpack_edge(edge, cell);
      if (inside) {
        set_two_piece_borders(scoring_, strips_.band, i, j, cell);
        *steps = compute_two_piece_cell(scoring_, score_of(scoring_, memory_.query[j], base), cell);
      }
      edge = pack_edge(cell);
      __syncwarp();  // the last lane writes 31 rows after the first lane has read
      if (lane == TwoPieceStrips::lanes - 1 && inside) memory_.edge[j] = edge;
      steps += TwoPieceStrips::lanes;
    }
    __syncwarp();
  }

  __device__ void emit(std::uint32_t op, std::int32_t length, std::uint32_t& count) {
    const auto added = static_cast<std::uint32_t>(length) << 4;
    if (count > 0 && count <= most_warp_elements && (memory_.elements[count - 1] & 15) == op) {
      memory_.elements[count - 1] += added;
    } else if (++count <= most_warp_elements) {
      memory_.elements[count - 1] = added | op;
    } else {
      count = most_warp_elements + 1;  // no room
    }
  }

  const TwoPieceStrips strips_;
  const LongScoring& scoring_;
  TwoPieceMemory& memory_;
  std::uint8_t* const steps_;
};

}  // namespace warpseed::align::cuda
