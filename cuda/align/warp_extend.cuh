// Extension of one hit by all lanes of a warp.
//
// The same programmes as in extend_core.hpp with the same results, ends, ties and early stops included. A lane has some
// neighbouring columns of the row in its registers; what insertions bring to a row is a running maximum over the lanes,
// because a gap opens from an aligned pair only.
#pragma once

#include <cstdint>

#include "align/place_core.hpp"
#include "align/warp.cuh"

namespace warpseed::cuda {

/// A score and a column as one number: the highest score counts, of equals the first column. Both below 2^16.
__device__ inline std::uint32_t score_and_column(std::int32_t score, std::int32_t column) {
  return static_cast<std::uint32_t>(score) << 16 | (0xFFFFU - static_cast<std::uint32_t>(column));
}

/// One row of the programme after the other; `columns` of each lane. Query columns beyond the last are dead.
template <int columns>
class WarpProgramme {
 public:
  __device__ WarpProgramme(const Strand& query, std::int32_t start_score, std::int32_t band, const Scoring& scoring)
      : length_(query.length), start_(start_score), band_(band), scoring_(scoring) {
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      const std::int32_t c = column(k);
      codes_[k] = c < length_ ? query[c] : std::uint8_t{4};
      const std::int32_t inserted = start_ - scoring.insertion_open - c * scoring.insertion_extend;
      h_[k] = c == 0 ? start_ : c <= length_ && c <= band && inserted > 0 ? inserted : 0;
      e_[k] = 0;
    }
  }

  __device__ Extension run(const Strand& genome) {
    Extension result;
    result.best_score = start_;
    if (length_ == 0) result.full_score = start_;
    std::int32_t begin = 0, end = length_;
    for (std::int32_t i = 0; i < genome.length; ++i) {
      if (begin < i - band_) begin = i - band_;
      if (end > i + band_ + 1) end = i + band_ + 1;
      if (end > length_) end = length_;
      if (begin >= end) break;
      std::int32_t left = begin == 0 ? start_ - scoring_.deletion_open - scoring_.deletion_extend * (i + 1) : 0;
      const std::uint32_t best = row(genome[i], begin, end, left > 0 ? left : 0);
      const std::int32_t score = static_cast<std::int32_t>(best >> 16);
      if (end == length_) {
        const std::int32_t last = last_column();
        if (ends_better(result, last, i + 1, length_)) result.full_score = last, result.full_genome = i + 1;
      }
      if (score == 0) break;
      const RowBest row_best = {score, static_cast<std::int32_t>(0xFFFFU - (best & 0xFFFFU)), 0};
      if (score > result.best_score) {
        result.best_score = score;
        result.best_query = row_best.column + 1;
        result.best_genome = i + 1;
      } else if (dropped(result, i, row_best, scoring_)) {
        break;
      }
      trim(begin, end);
    }
    return result;
  }

 private:
  __device__ std::int32_t column(int k) const {
    return static_cast<std::int32_t>(lane_id()) * columns + k;
  }

  /// As extend_row(). Returns the row's best by score_and_column().
  __device__ std::uint32_t row(std::uint8_t base, std::int32_t begin, std::int32_t end, std::int32_t left) {
    std::int32_t aligned[columns];
    std::int32_t leaving = 0;  // what an insertion that began in this lane brings to the next one
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      const bool active = column(k) >= begin && column(k) < end;
      const std::int32_t diagonal = active ? h_[k] : 0;
      aligned[k] = diagonal > 0 ? diagonal + scoring_.of(codes_[k], base) : 0;
      const std::int32_t opened = aligned[k] - scoring_.insertion_open - scoring_.insertion_extend;
      leaving -= scoring_.insertion_extend;
      leaving = leaving > opened ? leaving : opened;
    }
    std::int32_t insertion = from_lower_lanes(leaving);
    std::uint32_t best = 0;
    std::int32_t h[columns];
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      const std::int32_t c = column(k);
      const bool active = c >= begin && c < end;
      const std::int32_t deletion = active ? e_[k] : 0;
      h[k] = aligned[k] > deletion ? aligned[k] : deletion;
      h[k] = active ? (h[k] > insertion ? h[k] : insertion) : 0;
      const std::uint32_t mine = score_and_column(h[k], c);
      best = mine > best ? mine : best;
      const std::int32_t open_deletion = aligned[k] - scoring_.deletion_open - scoring_.deletion_extend;
      std::int32_t e = deletion - scoring_.deletion_extend;
      e = e > open_deletion ? e : open_deletion;
      e_[k] = active && e > 0 ? e : 0;
      const std::int32_t open_insertion = aligned[k] - scoring_.insertion_open - scoring_.insertion_extend;
      insertion -= scoring_.insertion_extend;
      insertion = insertion > open_insertion ? insertion : open_insertion;
      insertion = insertion > 0 ? insertion : 0;
    }
    const std::int32_t before = __shfl_up_sync(all_lanes, h[columns - 1], 1);
#pragma unroll
    for (int k = columns; k-- > 1;) h_[k] = h[k - 1];
    h_[0] = lane_id() == 0 ? left : before;
    return __reduce_max_sync(all_lanes, best);
  }

  /// The running maximum of what lower lanes leave, less what extends an insertion over the columns between; 0 at least.
  __device__ std::int32_t from_lower_lanes(std::int32_t leaving) const {
#pragma unroll
    for (unsigned step = 1; step < warp_threads; step *= 2) {
      const std::int32_t other = __shfl_up_sync(all_lanes, leaving, step) -
                                 static_cast<std::int32_t>(step) * columns * scoring_.insertion_extend;
      if (lane_id() >= step && other > leaving) leaving = other;
    }
    const std::int32_t insertion = __shfl_up_sync(all_lanes, leaving, 1);
    return lane_id() == 0 || insertion < 0 ? 0 : insertion;
  }

  /// The score with the whole query consumed.
  __device__ std::int32_t last_column() const {
    std::int32_t value = 0;
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      if (k == length_ % columns) value = h_[k];
    }
    return __shfl_sync(all_lanes, value, length_ / columns);
  }

  /// Leaves dead cells out on both sides.
  __device__ void trim(std::int32_t& begin, std::int32_t& end) const {
    std::uint32_t first = 0xFFFFU, last = 0;  // alive, and one past
#pragma unroll
    for (int k = columns; k-- > 0;) {
      const std::int32_t c = column(k);
      if (c < begin || c > end || (h_[k] | e_[k]) == 0) continue;
      first = static_cast<std::uint32_t>(c);
      if (last == 0) last = static_cast<std::uint32_t>(c) + 1;
    }
    first = __reduce_min_sync(all_lanes, first), last = __reduce_max_sync(all_lanes, last);
    begin = static_cast<std::int32_t>(first) < end ? static_cast<std::int32_t>(first) : end;
    const std::int32_t alive = static_cast<std::int32_t>(last) - 1;
    end = (alive > begin ? alive : begin) + 2;
    if (end > length_) end = length_;
  }

  const std::int32_t length_, start_, band_;
  const Scoring scoring_;
  std::uint8_t codes_[columns];
  std::int32_t h_[columns], e_[columns];  // as ExtensionCell
};

/// The programmes of an extension by a warp: all lanes call it with the same arguments and get the same. Its memory is the warp's.
struct WarpExtender {
  std::uint8_t* window = nullptr;  // [genome_reach(read length)]
  ExtensionCell* row = nullptr;    // [read length + 2], for what registers do not hold
  GapWaves* waves = nullptr;       // of shared memory

  __device__ Strand fetch(const GenomeView& genome, GenomePos anchor, std::int32_t length, bool leftwards) const {
    const GenomePos from = leftwards ? anchor - static_cast<GenomePos>(length) : anchor;
    const LanePart part = part_of_lane(static_cast<std::uint32_t>(length));
    __syncwarp();
    fetch_codes(genome, from + part.begin, from + part.end, window + part.begin);
    __syncwarp();
    return leftwards ? Strand{window + length - 1, length, -1} : Strand{window, length, 1};
  }

  __device__ UngappedExtension ungapped(const Strand& query, const Strand& genome, std::int32_t start_score,
                                        const Scoring& scoring) const {
    UngappedExtension result;
    Extension& ends = result.ends;
    ends.best_score = result.lowest = start_score;
    std::int32_t score = start_score;
    for (std::int32_t first = 0; first < query.length; first += static_cast<std::int32_t>(warp_threads)) {
      const std::int32_t i = first + static_cast<std::int32_t>(lane_id());
      std::int32_t sum = i < query.length ? scoring.of(query[i], genome[i]) : 0;
#pragma unroll
      for (unsigned step = 1; step < warp_threads; step *= 2) {
        const std::int32_t other = __shfl_up_sync(all_lanes, sum, step);
        if (lane_id() >= step) sum += other;
      }
      const std::int32_t here = score + sum, highest = __reduce_max_sync(all_lanes, here);
      const std::int32_t lowest = __reduce_min_sync(all_lanes, here);
      if (highest > ends.best_score) {
        const unsigned at = __ffs(static_cast<int>(__ballot_sync(all_lanes, here == highest)));
        ends.best_score = highest;
        ends.best_query = ends.best_genome = first + static_cast<std::int32_t>(at);
      }
      if (lowest < result.lowest) result.lowest = lowest;
      score = __shfl_sync(all_lanes, here, warp_threads - 1);
    }
    ends.full_score = score;
    ends.full_genome = query.length;
    result.loss = start_score + query.length * scoring.match - score;
    return result;
  }

  /// As warpseed::gap_may_win(): the diagonals of a wavefront side by side.
  __device__ bool gap_may_win(const GapSearch& search, const Strand& query, const Strand& genome) const {
    constexpr auto lanes = static_cast<std::int32_t>(warp_threads);
    const auto lane = static_cast<std::int32_t>(lane_id());
    __syncwarp();
    auto* const empty = reinterpret_cast<uint4*>(waves->aligned);
    static_assert(3 * sizeof(waves->aligned) % sizeof(uint4) == 0);
    for (std::uint32_t i = lane_id(); i < 3 * sizeof(waves->aligned) / sizeof(uint4); i += warp_threads) empty[i] = {};
    const std::int32_t words = search.query_length / lanes + 1, diagonals = search.diagonals();
    bool known = true;
    for (std::int32_t word = 0; word < words; ++word)
      known = bits_of(query, lanes * word, waves->query_low[word], waves->query_high[word]) && known;
    for (std::int32_t word = 1; word < words + 4; ++word)
      known = bits_of(genome, lanes * (word - 1), waves->genome_low[word], waves->genome_high[word]) && known;
    if (!known) return true;
    __syncwarp();
    for (std::int32_t slot = lane; slot < diagonals; slot += lanes) {
      for (std::int32_t word = 0; word < words; ++word) waves->compare(search, word, slot);
    }
    __syncwarp();
    if (lane == 0) waves->start(search);
    __syncwarp();
    for (std::int32_t lost = search.first_gap(); lost <= search.loss; ++lost) {
      bool wins = lane < diagonals && waves->advance(search, lost, lane);
      if (lane + lanes < diagonals) wins = waves->advance(search, lost, lane + lanes) || wins;
      if (__any_sync(all_lanes, wins)) return true;
      __syncwarp();
    }
    return false;
  }

  /// As warpseed::bits_of(), a lane a base.
  __device__ static bool bits_of(const Strand& strand, std::int32_t at, std::uint32_t& low, std::uint32_t& high) {
    at += static_cast<std::int32_t>(lane_id());
    const std::uint32_t code = at < strand.length ? strand[at] : 0;
    low = __ballot_sync(all_lanes, (code & 1) != 0);
    high = __ballot_sync(all_lanes, (code & 2) != 0);
    return !__any_sync(all_lanes, code > 3);
  }

  __device__ Extension banded(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                              const Scoring& scoring) const {
    const std::int64_t highest = start_score + std::int64_t{query.length} * scoring.match;
    const std::int32_t lanes = static_cast<std::int32_t>(warp_threads);
    if (highest < 0x10000) {
      if (query.length < 2 * lanes) return WarpProgramme<2>(query, start_score, band, scoring).run(genome);
      if (query.length < 3 * lanes) return WarpProgramme<3>(query, start_score, band, scoring).run(genome);
      if (query.length < 5 * lanes) return WarpProgramme<5>(query, start_score, band, scoring).run(genome);
      if (query.length < 8 * lanes) return WarpProgramme<8>(query, start_score, band, scoring).run(genome);
    }
    Extension result;  // by one lane, then told to all
    if (lane_id() == 0) result = extend_banded(query, genome, start_score, band, scoring, row);
    result.best_score = __shfl_sync(all_lanes, result.best_score, 0);
    result.best_query = __shfl_sync(all_lanes, result.best_query, 0);
    result.best_genome = __shfl_sync(all_lanes, result.best_genome, 0);
    result.full_score = __shfl_sync(all_lanes, result.full_score, 0);
    result.full_genome = __shfl_sync(all_lanes, result.full_genome, 0);
    return result;
  }
};

}  // namespace warpseed::cuda
