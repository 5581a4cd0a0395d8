// The banded DP of an extension by all lanes of a warp.
//
// The results equal those of extend_banded(), including ends, ties and early stops. Only a query end that reaches_end()
// would reject may be missing. The insertion scores of a row are a running maximum over the lanes, because a gap opens
// only from an aligned pair.
//
// The recurrence of banded_dp_core.hpp in the third schedule: a row over the lanes of a warp, two 16-bit columns a word.
// The second one is src/align/extend/simd_banded_dp.cpp; share/doc/modules/align_gpu.md states the recurrence once.
#pragma once

#include <cstdint>

#include "align/extend/banded_dp_core.hpp"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// Packs two 16-bit numbers into one word, for the DPX instructions of compute capability 9.
__device__ inline std::uint32_t packed_pair(std::int32_t low, std::int32_t high) {
  return (static_cast<std::uint32_t>(low) & 0xFFFFU) | static_cast<std::uint32_t>(high) << 16;
}
/// The addend that subtracts a cost from both numbers. The cost is capped at the largest score.
__device__ inline std::uint32_t less(std::int32_t cost) {
  const std::int32_t held = cost < 0x7FFF ? cost : 0x7FFF;
  return packed_pair(-held, -held);
}
/// All ones where a number is below 0.
__device__ inline std::uint32_t negative_mask(std::uint32_t pair) {
  std::uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xBB99;" : "=r"(mask) : "r"(pair));  // spreads the highest bit of both numbers
  return mask;
}
/// All ones where a number is not 0.
__device__ inline std::uint32_t nonzero_mask(std::uint32_t pair) {
  return __viaddmin_u16x2(pair, 0, 0x00010001U) * 0xFFFFU;
}

constexpr std::int32_t max_dp_words = 4;  // per lane and row: each holds two columns
constexpr std::int32_t dp_bases = 2 * max_dp_words * static_cast<std::int32_t>(warp_threads) - 1;
constexpr std::int32_t dp_scores = 0x7FFF;

/// The scores of the query's bases against each genome code, in the layout of the DP columns.
using QueryProfile = std::uint32_t[5][max_dp_words][warp_threads];

/// Computes the DP row by row. Each word holds a column of the row's first half and one of its second, so that one
/// instruction computes both. A lane has `words` adjacent columns of each half. Columns past the query's end are dead.
template <std::int32_t words>
class WarpBandedDp {
  static constexpr std::int32_t half = words * static_cast<std::int32_t>(warp_threads);  // columns
  static constexpr std::int32_t steps = 5;                                               // of a scan over the lanes

 public:
  /// Overwrites `profile`. Scores must not exceed dp_scores.
  __device__ WarpBandedDp(const Strand& query, std::int32_t start_score, std::int32_t band, const Scoring& scoring,
                          QueryProfile& profile)
      : length_(query.length),
        start_(start_score),
        band_(band),
        scoring_(scoring),
        profile_(profile),
        open_deletion_(less(scoring.deletion_open + scoring.deletion_extend)),
        extend_deletion_(less(scoring.deletion_extend)),
        open_insertion_(less(scoring.insertion_open + scoring.insertion_extend)),
        extend_insertion_(less(scoring.insertion_extend)),
        through_lower_(less(first_column() * scoring.insertion_extend)),
        columns_(packed_pair(first_column(), first_column() + half)),
        max_clip_penalty_(scoring.clip_begin > scoring.clip_end ? scoring.clip_begin : scoring.clip_end) {
#pragma unroll
    for (std::int32_t i = 0; i < steps; ++i) through_lanes_[i] = less((words << i) * scoring.insertion_extend);
    __syncwarp();
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      const std::int32_t low = first_column() + k, high = low + half;
      h_[k] = packed_pair(inserted(low), inserted(high));
      e_[k] = 0;
      const std::uint8_t code_low = low < length_ ? query[low] : std::uint8_t{4};
      const std::uint8_t code_high = high < length_ ? query[high] : std::uint8_t{4};
#pragma unroll 1
      for (std::uint8_t base = 0; base < 5; ++base)
        profile_[base][k][lane_id()] = packed_pair(score_of(code_low, base), score_of(code_high, base));
    }
    __syncwarp();
  }

  __device__ Extension run(const Strand& genome) {
    Extension result;
    result.best_score = start_;
    if (length_ == 0) result.full_score = start_;
    std::uint32_t best_row[words] = {};  // h_ of the best row; its column is searched only when needed
    bool sought = true;
    const auto seek = [&] {
      if (!sought) result.best_query = column_with(best_row, result.best_score) + 1;
      sought = true;
    };
    std::int32_t end = length_;
    const std::uint8_t* code = genome.first;
#pragma unroll 1  // a row is much code, and each warp executes a different part of it
    for (std::int32_t i = 0; i < genome.length; ++i, code += genome.step) {
      // extend_banded() may begin later than the band; the cells in between are dead.
      const std::int32_t begin = i > band_ ? i - band_ : 0;
      if (end > i + band_ + 1) end = i + band_ + 1;
      if (end > length_) end = length_;
      if (begin >= end) break;
      const std::int32_t left = begin == 0 ? start_ - scoring_.deletion_open - scoring_.deletion_extend * (i + 1) : 0;
      const std::int32_t score = row(*code, begin, end, left > 0 ? left : 0);
      if (end == length_) {
        const std::int32_t last = last_column();
        if (ends_better(result, last, i + 1, length_)) result.full_score = last, result.full_genome = i + 1;
      }
      if (score == 0) break;
      if (score > result.best_score) {
        result.best_score = score;
        result.best_genome = i + 1;
        sought = false;
#pragma unroll
        for (std::int32_t k = 0; k < words; ++k) best_row[k] = h_[k];
      } else if (result.best_score - score > scoring_.drop) {
        seek();
        if (dropped(result, i, {score, column_with(h_, score), 0}, scoring_)) break;
      }
      if (i % 4 == 3 && !can_improve(result.best_score)) break;
      end = last_alive() + 2;
    }
    seek();
    return result;
  }

 private:
  /// This lane's first column in the first half.
  __device__ std::int32_t first_column() const {
    return static_cast<std::int32_t>(lane_id()) * words;
  }

  /// The score of a column of the initial row.
  __device__ std::int32_t inserted(std::int32_t column) const {
    if (column == 0) return start_;
    const std::int32_t score = start_ - scoring_.insertion_open - column * scoring_.insertion_extend;
    return column <= length_ && column <= band_ && score > 0 ? score : 0;
  }

  __device__ std::int32_t score_of(std::uint8_t code, std::uint8_t base) const {
    const std::int32_t score = align::score_of(scoring_, code, base);
    return score > -0x7FFF ? score : -0x7FFF;
  }

  /// extend_row() by all lanes. Returns the row's best score.
  __device__ std::int32_t row(std::uint8_t base, std::int32_t begin, std::int32_t end, std::int32_t left) {
    std::uint32_t aligned[words], deletion[words], opened[words], active[words];
    std::uint32_t leaving = 0;  // the score of an insertion that opened in this lane, for the next one
    const std::uint32_t from_begin = __vsub2(columns_, packed_pair(begin, begin));
    const std::uint32_t to_end = __vsub2(packed_pair(end - 1, end - 1), columns_);
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      const std::uint32_t from_first = __vadd2(from_begin, packed_pair(k, k));
      active[k] = ~negative_mask(__viaddmin_s16x2(to_end, packed_pair(-k, -k), from_first));
      const std::uint32_t diagonal = h_[k] & active[k];
      deletion[k] = e_[k] & active[k];
      aligned[k] =
          __viaddmax_s16x2_relu(diagonal, profile_[base < 4 ? base : 4][k][lane_id()], 0) & nonzero_mask(diagonal);
      opened[k] = __viaddmax_s16x2_relu(aligned[k], open_insertion_, 0);
      leaving = __viaddmax_s16x2_relu(leaving, extend_insertion_, opened[k]);
    }
    std::uint32_t insertion = from_lower_columns(leaving), highest = 0;
    std::uint32_t h[words];
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      h[k] = __vimax3_s16x2(aligned[k], deletion[k], insertion) & active[k];
      highest = __vmaxs2(highest, h[k]);
      const std::uint32_t open_deletion = __viaddmax_s16x2_relu(aligned[k], open_deletion_, 0);
      e_[k] = __viaddmax_s16x2_relu(deletion[k], extend_deletion_, open_deletion);
      insertion = __viaddmax_s16x2_relu(insertion, extend_insertion_, opened[k]);
    }
    const std::uint32_t before = __shfl_sync(all_lanes, h[words - 1], static_cast<int>(lane_id() + warp_threads - 1));
#pragma unroll
    for (std::int32_t k = words; k-- > 1;) h_[k] = h[k - 1];
    h_[0] = lane_id() == 0 ? before << 16 | static_cast<std::uint32_t>(left) : before;
    const std::uint32_t low = highest & 0xFFFFU, high = highest >> 16;
    return static_cast<std::int32_t>(__reduce_max_sync(all_lanes, low > high ? low : high));
  }

  /// The running maximum of the insertion scores of lower columns, minus the cost of the columns between.
  __device__ std::uint32_t from_lower_columns(std::uint32_t leaving) const {
#pragma unroll
    for (std::int32_t i = 0; i < steps; ++i) {
      const std::uint32_t other = __shfl_up_sync(all_lanes, leaving, 1U << i);
      leaving = __viaddmax_s16x2_relu(other, through_lanes_[i], leaving);
    }
    const std::uint32_t first_half = __shfl_sync(all_lanes, leaving, warp_threads - 1) << 16;
    const std::uint32_t before = __shfl_up_sync(all_lanes, leaving, 1);
    return __viaddmax_s16x2_relu(first_half, through_lower_, lane_id() == 0 ? 0 : before);
  }

  /// The score with the whole query consumed.
  __device__ std::int32_t last_column() const {
    const std::int32_t column = length_ % half;
    std::uint32_t value = 0;
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      if (k == column % words) value = h_[k];
    }
    value = __shfl_sync(all_lanes, value, column / words);
    return static_cast<std::int32_t>(length_ < half ? value & 0xFFFFU : value >> 16);
  }

  /// The first column of a row with this score, which must exist. row: h_ after that row.
  __device__ std::int32_t column_with(const std::uint32_t (&row)[words], std::int32_t score) const {
    const auto wanted = static_cast<std::uint32_t>(score);
    std::uint32_t low = 0xFFFFU, high = 0xFFFFU;
#pragma unroll
    for (std::int32_t k = words; k-- > 0;) {
      const auto at = static_cast<std::uint32_t>(first_column() + k);
      if ((row[k] & 0xFFFFU) == wanted && at > 0) low = at;
      if (row[k] >> 16 == wanted) high = at + half;
    }
    return static_cast<std::int32_t>(__reduce_min_sync(all_lanes, low < high ? low : high)) - 1;
  }

  /// False if no live cell can still reach a better end, or the query's end within the clip penalty, see reaches_end(),
  /// even if all remaining bases match.
  __device__ bool can_improve(std::int32_t best_score) const {
    std::uint32_t highest = 0;
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      const std::uint32_t score = __vmaxs2(h_[k], e_[k]);
      const std::int32_t low = length_ - first_column() - k, high = low - half;  // bases left
      const std::uint32_t gain = packed_pair(low * scoring_.match, high * scoring_.match);
      highest = __vmaxs2(highest, nonzero_mask(score) & __vadd2(score, gain));
    }
    const std::uint32_t low = highest & 0xFFFFU, high = highest >> 16;
    const auto most = static_cast<std::int32_t>(__reduce_max_sync(all_lanes, low > high ? low : high));
    return most > best_score - max_clip_penalty_;
  }

  /// The last column with a live cell.
  __device__ std::int32_t last_alive() const {
    std::uint32_t last = 0;  // one past, of both halves
#pragma unroll
    for (std::int32_t k = 0; k < words; ++k) {
      const auto past = static_cast<std::uint32_t>(k + 1);
      last = __vmaxs2(last, nonzero_mask(h_[k] | e_[k]) & (past | past << 16));
    }
    const std::int32_t low = static_cast<std::int32_t>(last & 0xFFFFU), high = static_cast<std::int32_t>(last >> 16);
    const std::int32_t past = high > 0 ? high + half : low;
    return __reduce_max_sync(all_lanes, past > 0 ? first_column() + past : 0) - 1;
  }

  const std::int32_t length_, start_, band_;
  const Scoring scoring_;
  QueryProfile& profile_;
  const std::uint32_t open_deletion_, extend_deletion_, open_insertion_, extend_insertion_;
  const std::uint32_t
      through_lower_;  // cost of extending an insertion from the first half to this lane's columns of the second
  const std::uint32_t columns_;          // this lane's first column of each half
  const std::int32_t max_clip_penalty_;  // the larger clip penalty of the two ends
  std::uint32_t through_lanes_[steps];   // cost of extending an insertion over 1, 2, 4... lanes
  std::uint32_t h_[words], e_[words];    // as ExtensionCell
};

}  // namespace warpseed::align::cuda
