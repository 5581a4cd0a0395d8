#include "align/pair/device_pairs.cuh"

#include <algorithm>

#include "align/pair/device_mate_rescue.cuh"
#include "core/launch.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t choice_warps = 48;   // per multiprocessor; more than can run at a time gain nothing
constexpr std::uint32_t few_alignments = 4;  // of a pair that one thread handles

__device__ PairChoice from_lane(const PairChoice& mine, unsigned step) {
  PairChoice other;
  const auto lanes = static_cast<int>(step);
  other.first = __shfl_xor_sync(all_lanes, mine.first, lanes);
  other.second = __shfl_xor_sync(all_lanes, mine.second, lanes);
  other.score = __shfl_xor_sync(all_lanes, mine.score, lanes);
  other.clip_penalty = __shfl_xor_sync(all_lanes, mine.clip_penalty, lanes);
  other.rest = __shfl_xor_sync(all_lanes, mine.rest, lanes);
  return other;
}

__device__ TieBreaker from_lane(const TieBreaker& mine, unsigned step) {
  const auto lanes = static_cast<int>(step);
  return {__shfl_xor_sync(all_lanes, mine.first, lanes), __shfl_xor_sync(all_lanes, mine.second, lanes),
          __shfl_xor_sync(all_lanes, mine.tie_break, lanes)};
}

/// Among equal pairs choose_pair() takes the one that it meets first.
__device__ bool comes_first(const PairChoice& a, const PairChoice& b) {
  if (a.first == no_alignment || b.first == no_alignment) return b.first == no_alignment && a.first != no_alignment;
  if (a.comes_before(b) || b.comes_before(a)) return a.comes_before(b);
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

/// Calls visit(i, j), in one lane each, for the i-th and the j-th alignment of two mates if the fragment ends are no
/// further apart than the largest insert size allows.
template <class Visit>
__device__ void for_near_pairs(const MateLists& mates, const InsertSizeView& expected, Visit visit) {
  const std::int64_t most = largest_distance(expected);
  if (most < 0) return;
  const auto end_of = [](const MateList& mate, std::uint32_t i) {
    return fragment_end(mate.alignments[i], mate.length);
  };
  const MateList &a = mates.first, &b = mates.second;
  for (std::uint32_t j = lane_id(); j - lane_id() < b.count; j += warp_threads) {
    const std::int64_t end_b = j < b.count ? end_of(b, j) : 0;
    for (std::uint32_t first = 0; first < a.count; first += warp_threads) {
      const std::uint32_t count = a.count - first < warp_threads ? a.count - first : warp_threads;
      const std::int64_t end_a = lane_id() < count ? end_of(a, first + lane_id()) : 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::int64_t apart = end_b - __shfl_sync(all_lanes, end_a, static_cast<int>(k));
        if (is_near(apart, most) && j < b.count) visit(first + k, j);
      }
    }
  }
}

/// choose_pair() by all lanes.
__device__ PairChoice choose_pair_by_warp(const MateLists& mates, const InsertSizeView& expected,
                                          const Scoring& scoring) {
  const auto for_pairs = [&](auto visit) {
    for_near_pairs(mates, expected, [&](std::uint32_t i, std::uint32_t j) { visit(pair_of(mates, i, j, expected)); });
  };
  PairChoice best;
  std::uint32_t proper = 0;
  for_pairs([&](const PairChoice& pair) {
    if (pair.first == no_alignment) return;
    ++proper;
    if (comes_first(pair, best)) best = pair;
  });
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) {
    const PairChoice other = from_lane(best, step);
    if (comes_first(other, best)) best = other;
  }
  if (__reduce_add_sync(all_lanes, proper) <= 1) return best;
  bool tied = false;
  for_pairs([&](const PairChoice& pair) { tied = count_competing_pair(best, pair, scoring) || tied; });
  for (unsigned step = warp_threads / 2; step > 0; step /= 2)
    best.competitors += __shfl_xor_sync(all_lanes, best.competitors, static_cast<int>(step));
  if (!__any_sync(all_lanes, tied)) return best;
  for_lanes(mates.count(), [&](std::uint32_t k) { mates.assign_pair_rank(k); });
  TieBreaker draw;
  for_pairs([&](const PairChoice& pair) { draw.add(pair, best, mates); });
  for (unsigned step = warp_threads / 2; step > 0; step /= 2) draw.add(from_lane(draw, step));
  best.first = draw.first, best.second = draw.second;
  return best;
}

/// pairable() by all lanes.
__device__ MateList pairable_by_warp(const RankedAlignments& read) {
  std::uint32_t count = 0;
  for (std::uint32_t first = 0; first < read.count; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    count += static_cast<unsigned>(__popc(__ballot_sync(all_lanes, i < read.count && !read.alignments[i].alt)));
  }
  return {read.alignments, count, read.traits.length};
}

struct PairChoiceView {
  PairingView pairing;
  Choice* choices;          // [2 * pairs]
  std::uint32_t* left;      // [pairs] pairs left to warps
  std::uint32_t* counters;  // [2] size of `left`, and how many of it are taken

  __device__ RankedAlignments first(std::uint64_t i) const { return pairing.ranked(2 * (pairing.first_pair + i)); }
  __device__ RankedAlignments second(std::uint64_t i) const { return pairing.ranked(2 * (pairing.first_pair + i) + 1); }
  __device__ const InsertSizeView& expected(std::uint64_t i) const {
    return pairing.insert_sizes(pairing.first_pair + i);
  }
  __device__ void keep(std::uint64_t i, const ChoicePair& chosen) const {
    choices[2 * i] = chosen.first, choices[2 * i + 1] = chosen.second;
  }
  __device__ std::uint64_t number(std::uint64_t i) const { return pairing.first_number / 2 + pairing.first_pair + i; }
};

/// Handles pairs with few alignments, one thread per pair, and lists the others.
__global__ void choose_few_kernel(PairChoiceView view) {
  const std::uint64_t i = thread_index();
  if (i >= view.pairing.pair_count) return;
  const AlignOptions& options = view.pairing.options;
  const RankedAlignments first = view.first(i), second = view.second(i);
  const InsertSizeView& expected = view.expected(i);
  PairChoice best;
  if (options.pairing) {
    if (first.count + second.count > few_alignments) {
      view.left[atomicAdd(&view.counters[0], 1U)] = static_cast<std::uint32_t>(i);
      return;
    }
    best = choose_pair({pairable(first), pairable(second), view.number(i)}, expected, options.scoring);
  }
  view.keep(i, align::choose_alignments(first, second, best, expected, options));
}

__global__ void __launch_bounds__(threads_per_block) choose_many_kernel(PairChoiceView view) {
  for_each_job(view.counters[0], &view.counters[1], [&](std::uint64_t taken) {
    const std::uint32_t i = view.left[taken];
    const AlignOptions& options = view.pairing.options;
    const RankedAlignments first = view.first(i), second = view.second(i);
    const InsertSizeView& expected = view.expected(i);
    const PairChoice best = choose_pair_by_warp({pairable_by_warp(first), pairable_by_warp(second), view.number(i)},
                                                expected, options.scoring);
    const ChoicePair choice =
        align::choose_alignments(first, second, best, expected, options, [](std::uint32_t count, auto work) {
          __syncwarp();  // all lanes have read what one lane writes now
          for_lanes(count, work);
        });
    if (lane_id() == 0) view.keep(i, choice);
  });
}

}  // namespace

DeviceInsertSizes::DeviceInsertSizes(const ReadGroupInsertSizes& insert_sizes, const Stream& stream) {
  std::vector<InsertSizeView> views;
  std::vector<std::int32_t> scores;
  std::vector<std::uint64_t> begins;  // of each range's scores
  for (std::uint32_t group = 0; group <= insert_sizes.group_count(); ++group) {
    views.push_back(insert_sizes.of(group).view());
    for (const InsertSizeRange& range : views.back().ranges) {
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
  views_ = Buffer<InsertSizeView>(views, stream);
  stream.wait();  // the copies read local vectors
}

Buffer<Alignment> choose_alignments(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                                    Choice* choices, const Stream& stream) {
  Buffer<std::uint32_t> left(view.pair_count, stream), counters(2, stream);  // all allocations come before any change
  counters.fill_zero();
  Buffer<Alignment> rescued;
  if (view.options.rescue_mates) rescued = rescue_mates(view, longest, widest, stream);
  const PairChoiceView selection = {view, choices, left.data(), counters.data()};
  launch("choose_few_kernel", choose_few_kernel, view.pair_count, stream, selection);
  const std::uint64_t warps = std::min(view.pair_count, choice_warps * multiprocessors(stream.device()));
  launch("choose_many_kernel", choose_many_kernel, warps * warp_threads, stream, selection);
  return rescued;
}

}  // namespace warpseed::align::cuda
