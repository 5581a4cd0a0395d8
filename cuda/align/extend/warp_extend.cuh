// Extension of one hit by all lanes of a warp, with the same results as banded_dp_core.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "align/extend/extend_hit_core.hpp"
#include "align/extend/warp_banded_dp.cuh"
#include "align/extend/warp_genome.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

template <std::int32_t words>
using Words = std::integral_constant<std::int32_t, words>;

/// Shared memory of a warp: of the wavefronts first, then of the DP.
union ExtensionMemory {
  GapWaves waves;
  QueryProfile profile;
};

/// The steps of an extension by a warp. All lanes call them with the same arguments and get the same results. The
/// memory belongs to the warp. No step is inlined: both sides of a hit share the code, to fit the instruction caches.
struct WarpExtender {
  std::uint8_t* window = nullptr;  // [genome_reach(read length)]
  ExtensionCell* row = nullptr;    // [read length + 2], for DPs that do not fit in registers
  ExtensionMemory* memory = nullptr;

  __device__ __noinline__ Strand fetch(const text::GenomeView& genome, GenomePos anchor, std::int32_t length,
                                       bool leftwards) const {
    const GenomePos from = leftwards ? anchor - static_cast<GenomePos>(length) : anchor;
    const auto bases = static_cast<std::uint32_t>(length);
    __syncwarp();
    for_codes(genome, from, bases, [&](std::uint32_t i, std::uint8_t code) {
      if (i < bases) window[i] = code;
    });
    __syncwarp();
    return leftwards ? Strand{window + length - 1, length, -1} : Strand{window, length, 1};
  }

  __device__ __noinline__ UngappedExtension ungapped(const Strand& query, const Strand& genome,
                                                     std::int32_t start_score, const Scoring& scoring) const {
    UngappedExtension result;
    Extension& ends = result.ends;
    ends.best_score = result.lowest = start_score;
    std::int32_t score = start_score;
#pragma unroll 1
    for (std::int32_t first = 0; first < query.length; first += static_cast<std::int32_t>(warp_threads)) {
      const std::int32_t i = first + static_cast<std::int32_t>(lane_id());
      std::int32_t sum = i < query.length ? score_of(scoring, query[i], genome[i]) : 0;
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

  /// gap_may_win() by all lanes, one lane per diagonal of a wavefront.
  __device__ __noinline__ bool gap_may_win(const GapSearch& search, const Strand& query, const Strand& genome) const {
    constexpr auto lanes = static_cast<std::int32_t>(warp_threads);
    const auto lane = static_cast<std::int32_t>(lane_id());
    GapWaves* const waves = &memory->waves;
    __syncwarp();
    auto* const empty = reinterpret_cast<uint4*>(waves->aligned);
    static_assert(3 * sizeof(waves->aligned) % sizeof(uint4) == 0);
    for (std::uint32_t i = lane_id(); i < 3 * sizeof(waves->aligned) / sizeof(uint4); i += warp_threads) empty[i] = {};
    const std::int32_t words = search.query_length / lanes + 1, diagonals = search.diagonals();
    if (lane == 0) waves->genome_low[0] = waves->genome_high[0] = 0;
    bool known = true;
#pragma unroll 1
    for (std::int32_t word = 0; word < words; ++word)
      known = bits_of(query, lanes * word, waves->query_low[word], waves->query_high[word]) && known;
#pragma unroll 1
    for (std::int32_t word = 1; word < words + 4; ++word)
      known = bits_of(genome, lanes * (word - 1), waves->genome_low[word], waves->genome_high[word]) && known;
    if (!known) return true;
    __syncwarp();
    for (std::int32_t slot = lane; slot < diagonals; slot += lanes) {
#pragma unroll 1
      for (std::int32_t word = 0; word < words; ++word) waves->compare(search, word, slot);
    }
    __syncwarp();
    if (lane == 0) waves->start(search);
    __syncwarp();
#pragma unroll 1
    for (std::int32_t lost = search.first_gap(); lost <= search.loss; ++lost) {
      bool wins = false;
#pragma unroll 1
      for (std::int32_t slot = lane; slot < diagonals; slot += lanes) wins = waves->advance(search, lost, slot) || wins;
      if (__any_sync(all_lanes, wins)) return true;
      __syncwarp();
    }
    return false;
  }

  /// bits_of() by all lanes, one lane per base.
  __device__ static bool bits_of(const Strand& strand, std::int32_t at, std::uint32_t& low, std::uint32_t& high) {
    at += static_cast<std::int32_t>(lane_id());
    const std::uint32_t code = at < strand.length ? strand[at] : 0;
    low = __ballot_sync(all_lanes, (code & 1) != 0);
    high = __ballot_sync(all_lanes, (code & 2) != 0);
    return !__any_sync(all_lanes, code > 3);
  }

  __device__ __noinline__ Extension by_one_lane(const Strand& query, const Strand& genome, std::int32_t start_score,
                                                std::int32_t band, const Scoring& scoring) const {
    return extend_banded(query, genome, start_score, band, scoring, row);
  }

  __device__ __noinline__ Extension banded(const Strand& query, const Strand& genome, std::int32_t start_score,
                                           std::int32_t band, const Scoring& scoring) const {
    const std::int64_t highest = start_score + std::int64_t{query.length} * scoring.match;
    const auto run = [&](auto words) {
      return WarpBandedDp<decltype(words)::value>(query, start_score, band, scoring, memory->profile).run(genome);
    };
    if (highest <= dp_scores && query.length <= dp_bases) {
      const std::int32_t words = query.length / (2 * static_cast<std::int32_t>(warp_threads)) + 1;
      return words <= 2 ? run(Words<2>()) : words == 3 ? run(Words<3>()) : run(Words<max_dp_words>());
    }
    Extension result;  // lane 0 broadcasts it
    if (lane_id() == 0) result = by_one_lane(query, genome, start_score, band, scoring);
    result.best_score = __shfl_sync(all_lanes, result.best_score, 0);
    result.best_query = __shfl_sync(all_lanes, result.best_query, 0);
    result.best_genome = __shfl_sync(all_lanes, result.best_genome, 0);
    result.full_score = __shfl_sync(all_lanes, result.full_score, 0);
    result.full_genome = __shfl_sync(all_lanes, result.full_genome, 0);
    return result;
  }
};

}  // namespace warpseed::align::cuda
