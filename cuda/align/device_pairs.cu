#include "align/device_pairs.cuh"

#include <algorithm>

#include "align/warp.cuh"
#include "core/launch.cuh"

namespace warpseed::cuda {

namespace {

__device__ PairChoice from_lane(const PairChoice& mine, unsigned step) {
  PairChoice other;
  const auto lanes = static_cast<int>(step);
  other.first = __shfl_xor_sync(all_lanes, mine.first, lanes);
  other.second = __shfl_xor_sync(all_lanes, mine.second, lanes);
  other.score = __shfl_xor_sync(all_lanes, mine.score, lanes);
  other.end_loss = __shfl_xor_sync(all_lanes, mine.end_loss, lanes);
  other.tie = __shfl_xor_sync(all_lanes, mine.tie, lanes);
  return other;
}

/// Of pairs that nothing tells apart choose_pair() takes the one that it meets first.
__device__ bool comes_first(const PairChoice& a, const PairChoice& b) {
  if (a.first == nobody || b.first == nobody) return b.first == nobody && a.first != nobody;
  if (a.comes_before(b) || b.comes_before(a)) return a.comes_before(b);
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

/// As choose_pair(), in all lanes.
__device__ PairChoice choose_pair_by_warp(const RankedAlignments& a, std::uint32_t count_a, const RankedAlignments& b,
                                          std::uint32_t count_b, const InsertView& expected, const Scoring& scoring) {
  const unsigned lane = lane_id();
  const auto pair = [&](std::uint32_t k) {
    return pair_of(a.alignments, k / count_b, a.traits.length, b.alignments, k % count_b, b.traits.length, expected);
  };
  const std::uint32_t pairs = count_a * count_b;
  PairChoice best;
  for (std::uint32_t k = lane; k < pairs; k += warp_threads) keep_better(best, pair(k));
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) {
    const PairChoice other = from_lane(best, step);
    if (comes_first(other, best)) best = other;
  }
  for (std::uint32_t k = lane; k < pairs; k += warp_threads) count_rival(best, pair(k), scoring);
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) {
    const std::int32_t second_score = __shfl_xor_sync(all_lanes, best.second_score, static_cast<int>(step));
    best.near_count += __shfl_xor_sync(all_lanes, best.near_count, static_cast<int>(step));
    if (second_score > best.second_score) best.second_score = second_score;
  }
  return best;
}

__global__ void choose_places_kernel(PairingView view, PairOfChoices* choices) {
  const std::uint64_t i = thread_index() / warp_threads;
  if (i >= view.pair_count) return;
  const std::uint64_t pair = view.first_pair + i;
  const RankedAlignments first = view.ranked(2 * pair), second = view.ranked(2 * pair + 1);
  const InsertView& expected = view.inserts(pair);
  PairChoice best;
  if (view.options.pairing) {
    best =
        choose_pair_by_warp(first, primary_count(first), second, primary_count(second), expected, view.options.scoring);
  }
  if (lane_id() == 0) choices[i] = warpseed::choose_places(first, second, best, expected, view.options);
}

}  // namespace

DeviceInserts::DeviceInserts(const GroupInserts& inserts, const Stream& stream) {
  std::vector<InsertView> views;
  std::vector<std::int32_t> scores;
  std::vector<std::uint64_t> begins;  // of each range's scores
  for (std::uint32_t group = 0; group <= inserts.group_count(); ++group) {
    views.push_back(inserts.of(group).view());
    for (const InsertRange& range : views.back().ranges) {
      begins.push_back(scores.size());
      if (range.high < range.low) continue;
      const auto width = static_cast<std::uint64_t>(range.high - range.low) + 1;
      scores.insert(scores.end(), range.scores, range.scores + width);
      widest_ = std::max(widest_, width);
    }
  }
  scores_ = Buffer<std::int32_t>(scores, stream);
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (unsigned k = 0; k < orientation_count; ++k)
      views[i].ranges[k].scores = scores_.data() + begins[i * orientation_count + k];
  }
  views_ = Buffer<InsertView>(views, stream);
  stream.wait();  // the copies are out of vectors that go
}

void choose_places(const PairingView& view, PairOfChoices* choices, const Stream& stream) {
  launch("choose_places_kernel", choose_places_kernel, view.pair_count * warp_threads, stream, view, choices);
}

}  // namespace warpseed::cuda
