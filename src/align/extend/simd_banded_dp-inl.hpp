// The recurrence of extend_banded() (banded_dp_core.hpp) in another schedule: a row by vectors of 8- or 16-bit lanes.
// Compiled once for every width of vectors. The third schedule is cuda/align/extend/warp_banded_dp.cuh;
// share/doc/modules/align_gpu.md states the recurrence once.
#if defined(WARPSEED_SIMD_BANDED_DP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSEED_SIMD_BANDED_DP_INL
#undef WARPSEED_SIMD_BANDED_DP_INL
#else
#define WARPSEED_SIMD_BANDED_DP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>

#include "align/extend/lane_shifts-inl.hpp"
#include "align/extend/simd_banded_dp.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpseed::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A penalty as a lane value. Unsigned subtraction saturates at 0, which marks a cell as dead.
template <class Lane>
Lane lane_value(std::int64_t value) {
  return static_cast<Lane>(std::min<std::int64_t>(value, std::numeric_limits<Lane>::max()));
}

/// Lanes [begin, end) of a vector are all ones; arguments may be out of range.
template <class D>
class LaneRanges {
  using Lane = hn::TFromD<D>;
  static constexpr std::int32_t lanes = hn::MaxLanes(D());

 public:
  static HWY_INLINE hn::Vec<D> from(std::int32_t begin) {
    return hn::LoadU(D(), edges.data() + lanes - std::clamp(begin, 0, lanes));
  }
  static HWY_INLINE hn::Vec<D> below(std::int32_t end) {
    return hn::LoadU(D(), edges.data() + 2 * lanes - std::clamp(end, 0, lanes));
  }

 private:
  static constexpr auto edges = [] {
    std::array<Lane, 3 * lanes> values{};
    for (std::size_t i = lanes; i < 2 * lanes; ++i) values[i] = std::numeric_limits<Lane>::max();
    return values;
  }();
};

/// The live cells of a row: lanes of the next row.
struct LiveLanes {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::int32_t first = none, last = -1;

  /// Lane at + i is live if bit i is set.
  HWY_INLINE void add(std::int32_t at, std::uint64_t bits) {
    if (bits == 0) return;
    first = std::min(first, at + std::countr_zero(bits));
    last = std::max(last, at + 63 - std::countl_zero(bits));
  }
};

/// One extension. Lane c of row i is query column i + c - left_: a lane is a diagonal of the band, so the score that
/// an aligned pair continues is in the same lane, and a narrow band is one vector.
template <class Lane>
class SimdBandedDp {
  using D = hn::CappedTag<Lane, 32 / sizeof(Lane)>;
  using V = hn::Vec<D>;
  using Shifts = LaneShifts<D>;
  using Ranges = LaneRanges<D>;
  static constexpr std::int32_t lanes = hn::MaxLanes(D());

 public:
  SimdBandedDp(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
               const Scoring& scoring, SimdScratch& scratch)
      : genome_(genome),
        length_(query.length),
        start_(start_score),
        band_(band),
        left_(std::min(band, genome.length)),
        scoring_(scoring),
        max_clip_penalty_(std::max(scoring.clip_begin, scoring.clip_end)),
        insertions_(static_cast<std::uint32_t>(scoring.insertion_extend)) {
    const std::int32_t diagonals = left_ + std::min(band, length_) + 1;
    const std::int32_t cells = (diagonals + lanes - 1) / lanes * lanes, columns = left_ + length_ + lanes;
    lay_out(static_cast<std::size_t>(cells), static_cast<std::size_t>(columns), scratch);
    for (std::int32_t j = 0; j < length_; ++j) {
      codes_[left_ + j] = query[j];
      costs_of_[left_ + j] = query[j] > 3 ? Lane{1} : lane_value<Lane>(scoring.mismatch);
    }
    for (std::int32_t j = 0; j < columns; ++j) {
      gains_[j] = lane_value<Lane>(std::int64_t{std::max(left_ + length_ - j, 0)} * scoring.match);
    }
    std::int32_t score = start_ - scoring.insertion_open - scoring.insertion_extend;
    h_[left_] = static_cast<Lane>(start_);
    for (std::int32_t j = 1; j <= std::min(length_, band) && score > 0; ++j, score -= scoring.insertion_extend) {
      h_[left_ + j] = static_cast<Lane>(score);
    }
  }

  Extension run();

 private:
  void lay_out(std::size_t cells, std::size_t columns, SimdScratch& scratch);
  V row(std::int32_t i, std::int32_t begin, std::int32_t end, LiveLanes& live);
  RowBest best_of(std::int32_t i, V highest, std::int32_t begin, std::int32_t end) const;
  bool can_improve(std::int32_t i, const LiveLanes& live, std::int32_t best_score) const;
  bool update(std::int32_t i, V highest, std::int32_t begin, std::int32_t end, Extension& result) const;

  /// One bit per lane that is not 0.
  static HWY_INLINE std::uint64_t bits_alive(V v) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(D(), hn::Ne(v, hn::Zero(D())), reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
  }

  static HWY_INLINE V penalty(std::int32_t value) { return hn::Set(D(), lane_value<Lane>(value)); }

  const Strand genome_;
  const std::int32_t length_, start_, band_;
  const std::int32_t left_;  // diagonals left of the start's
  const Scoring& scoring_;
  const std::int32_t max_clip_penalty_;  // the larger one of the two ends
  const RunningMax<D> insertions_;
  const V match_ = penalty(scoring_.match);
  const V open_deletion_ = penalty(scoring_.deletion_open + scoring_.deletion_extend);
  const V extend_deletion_ = penalty(scoring_.deletion_extend);
  const V open_insertion_ = penalty(scoring_.insertion_open + scoring_.insertion_extend);
  Lane *h_, *e_;             // [cells] as ExtensionCell
  Lane *codes_, *costs_of_;  // [columns] the query and its bases' mismatch costs, from column -left_ on
  Lane* gains_;              // [columns] the score of matches from there to the query's end
};

template <class Lane>
void SimdBandedDp<Lane>::lay_out(std::size_t cells, std::size_t columns, SimdScratch& scratch) {
  constexpr std::size_t alignment = 64;
  const std::size_t bytes = (2 * cells + 3 * columns) * sizeof(Lane);
  scratch.memory.resize(std::max(scratch.memory.size(), (bytes + alignment) / 8 + 1));
  void* memory = scratch.memory.data();
  std::size_t room = scratch.memory.size() * 8;
  h_ = static_cast<Lane*>(std::align(alignment, bytes, memory, room));
  e_ = h_ + cells, codes_ = e_ + cells, costs_of_ = codes_ + columns, gains_ = costs_of_ + columns;
  std::fill_n(h_, 2 * cells, Lane{0});
}

/// The genome's base i against the query columns of lanes [begin, end), as extend_row(). Returns the highest score per
/// lane. Cells before `begin` are dead already. So load addresses depend only on values known early, and the last row's
/// live lanes are needed late.
template <class Lane>
auto SimdBandedDp<Lane>::row(std::int32_t i, std::int32_t begin, std::int32_t end, LiveLanes& live) -> V {
  const D d;
  const V none = hn::Zero(d);
  const std::uint8_t base = genome_[i];
  const V code = hn::Set(d, base > 3 ? Lane{0xFF} : static_cast<Lane>(base));  // an N equals nothing
  const Lane *codes = codes_ + i, *costs = costs_of_ + i;
  // The cell before the first column, with all of the genome's bases deleted, moves one lane to the left every row.
  const std::int32_t edge = left_ - (i + 1);
  const std::int32_t at_edge = start_ - scoring_.deletion_open - scoring_.deletion_extend * (i + 1);
  V highest = none, running = none, last_deletion = none;
  const std::int32_t first = std::max(begin - 1, 0) / lanes * lanes;  // live cells move one lane to the left at most
  for (std::int32_t at = first; at < end; at += lanes) {
    const V diagonal = hn::Load(d, h_ + at), deletion = hn::Load(d, e_ + at), valid = Ranges::below(end - at);
    const V same = hn::VecFromMask(d, hn::Eq(hn::LoadU(d, codes + at), code));
    const V dead = hn::VecFromMask(d, hn::Eq(diagonal, none));
    const V cost = base > 3 ? hn::Set(d, Lane{1}) : hn::LoadU(d, costs + at);
    const V gained = hn::SaturatedAdd(diagonal, hn::AndNot(dead, hn::And(same, match_)));
    const V aligned = hn::SaturatedSub(gained, hn::AndNot(same, cost));
    const V before = running;
    running = insertions_.of(hn::SaturatedSub(aligned, open_insertion_), Shifts::last_lane(before));
    const V h = hn::And(hn::Max(hn::Max(aligned, deletion), Shifts::lanes_up(running, before)), valid);
    const V e = hn::And(
        hn::Max(hn::SaturatedSub(deletion, extend_deletion_), hn::SaturatedSub(aligned, open_deletion_)), valid);
    highest = hn::Max(highest, h);
    V moved = h;
    if (at_edge > 0 && edge >= at && edge < at + lanes) {
      moved = hn::Or(h, hn::And(penalty(at_edge), hn::And(Ranges::from(edge - at), Ranges::below(edge + 1 - at))));
    }
    hn::Store(moved, d, h_ + at);
    live.add(at, bits_alive(moved));
    live.add(at - 1, bits_alive(e));
    if (at > first) hn::Store(Shifts::lanes_down(last_deletion, e), d, e_ + at - lanes);
    last_deletion = e;
    if (at + lanes >= end) hn::Store(Shifts::lanes_down(e, none), d, e_ + at);
  }
  return highest;
}

/// The best score of row i, and its first column.
template <class Lane>
RowBest SimdBandedDp<Lane>::best_of(std::int32_t i, V highest, std::int32_t begin, std::int32_t end) const {
  const D d;
  RowBest best;
  const Lane score = Shifts::max_of_lanes(highest);
  best.score = score;
  if (score == 0) return best;
  for (std::int32_t at = begin / lanes * lanes; at < end; at += lanes) {
    const V equal = hn::VecFromMask(d, hn::Eq(hn::Load(d, h_ + at), hn::Set(d, score)));
    const std::uint64_t bits = bits_alive(hn::And(equal, Ranges::from(begin - at)));
    if (bits == 0) continue;
    best.column = i - left_ + at + std::countr_zero(bits);
    break;
  }
  return best;
}

/// Takes row i's best end into the result. Returns whether the extension ends here. The row's best is computed only if
/// it may be a new maximum, or so low that the extension may end.
template <class Lane>
bool SimdBandedDp<Lane>::update(std::int32_t i, V highest, std::int32_t begin, std::int32_t end,
                                Extension& result) const {
  const D d;
  const auto any_above = [&](std::int32_t score) HWY_ATTR {
    return !hn::AllTrue(d, hn::Eq(hn::SaturatedSub(highest, penalty(score)), hn::Zero(d)));
  };
  const bool higher = any_above(result.best_score);
  if (!higher && any_above(std::max(result.best_score - scoring_.drop, 1) - 1)) return false;
  const RowBest best = best_of(i, highest, begin, end);
  if (best.score == 0) return true;
  if (!higher) return dropped(result, i, best, scoring_);
  result.best_score = best.score;
  result.best_query = best.column + 1;
  result.best_genome = i + 1;
  return false;
}

/// False if no live cell after row i can still reach a better end, or the query's end within the clip penalty, see
/// reaches_end(), even if all remaining bases match.
template <class Lane>
bool SimdBandedDp<Lane>::can_improve(std::int32_t i, const LiveLanes& live, std::int32_t best_score) const {
  const D d;
  const V enough = penalty(std::max(best_score - max_clip_penalty_, 0));
  for (std::int32_t at = std::max(live.first, 0) / lanes * lanes; at <= live.last; at += lanes) {
    const V score = hn::Max(hn::Load(d, h_ + at), hn::Load(d, e_ + at));
    const V most = hn::SaturatedAdd(score, hn::LoadU(d, gains_ + i + 1 + at));
    const V above = hn::IfThenZeroElse(hn::Eq(score, hn::Zero(d)), hn::SaturatedSub(most, enough));
    if (bits_alive(above) != 0) return true;
  }
  return false;
}

template <class Lane>
Extension SimdBandedDp<Lane>::run() {
  Extension result;
  result.best_score = start_;
  if (length_ == 0) result.full_score = start_;
  std::int32_t begin = 0, end = length_;  // columns
  for (std::int32_t i = 0; i < genome_.length; ++i) {
    begin = std::max(begin, i - band_);
    end = std::min({end, i + band_ + 1, length_});
    if (begin >= end) break;
    const std::int32_t to_lane = left_ - i;
    LiveLanes live;
    const V highest = row(i, begin + to_lane, end + to_lane, live);
    if (end == length_) {
      const Lane whole = h_[end - 1 + to_lane];
      if (ends_better(result, whole, i + 1, length_)) result.full_score = whole, result.full_genome = i + 1;
    }
    if (update(i, highest, begin + to_lane, end + to_lane, result)) break;
    if (live.last < 0) break;
    if ((i % 8 == 7 || i + 1 == length_) && !can_improve(i, live, result.best_score)) break;
    begin = std::min(live.first - to_lane + 1, end);
    end = std::min(std::max(live.last - to_lane + 1, begin) + 2, length_);
  }
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace warpseed::align
HWY_AFTER_NAMESPACE();

#endif
