// The recurrence of extend_banded() (banded_dp_core.hpp) in another schedule: a row by vectors of 8- or 16-bit columns.
// The third schedule is cuda/align/extend/warp_banded_dp.cuh; share/doc/modules/align_gpu.md states the recurrence once.
#include "align/extend/simd_banded_dp.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>

namespace warpseed::align {

namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Scores and penalties as lane values. Unsigned subtraction saturates at 0, which marks a cell as dead.
template <class Lane>
struct SimdCosts {
  Lane match, mismatch, deletion_open, deletion_extend, insertion_open, insertion_extend;  // open: with the first base

  explicit SimdCosts(const Scoring& s)
      : match(held(s.match)),
        mismatch(held(s.mismatch)),
        deletion_open(held(s.deletion_open + s.deletion_extend)),
        deletion_extend(held(s.deletion_extend)),
        insertion_open(held(s.insertion_open + s.insertion_extend)),
        insertion_extend(held(s.insertion_extend)) {}

  static Lane held(std::int64_t value) {
    return static_cast<Lane>(std::min<std::int64_t>(value, std::numeric_limits<Lane>::max()));
  }
};

/// The result of one DP row, in addition to the scores in memory.
struct SimdRow {
  std::int32_t first_alive = -1, last_alive = -1;  // columns with a live cell
};

/// One extension. Columns are divided into vectors at fixed positions, so a row loads what the previous row stored.
template <class Lane>
class SimdBandedDp {
  static constexpr std::int32_t lanes = 16 / sizeof(Lane);
  using D = hn::FixedTag<Lane, static_cast<std::size_t>(lanes)>;
  using V = hn::Vec<D>;

 public:
  SimdBandedDp(const Strand& query, std::int32_t start_score, std::int32_t band, const Scoring& scoring,
               SimdScratch& scratch)
      : length_(query.length), start_(start_score), band_(band), scoring_(scoring), costs_(scoring) {
    const std::size_t columns = static_cast<std::size_t>(length_ / lanes + 2) * lanes;
    scratch.memory.resize(std::max(scratch.memory.size(), columns * 5 * sizeof(Lane) / 8 + 2));
    void* memory = scratch.memory.data();
    std::size_t room = scratch.memory.size() * 8;
    std::align(16, columns * 5 * sizeof(Lane), memory, room);
    h_ = static_cast<Lane*>(memory), e_ = h_ + columns;
    codes_ = e_ + columns, costs_of_ = codes_ + columns, ones_ = costs_of_ + columns;
    std::fill_n(h_, 2 * columns, Lane{0});
    std::fill_n(codes_ + length_, columns - static_cast<std::size_t>(length_), Lane{0});
    std::fill_n(ones_, columns, Lane{1});
    for (std::int32_t j = 0; j < length_; ++j) {
      codes_[j] = query[j];
      costs_of_[j] = query[j] > 3 ? Lane{1} : costs_.mismatch;
    }
    std::int32_t score = start_ - scoring.insertion_open - scoring.insertion_extend;
    h_[0] = static_cast<Lane>(start_);
    for (std::int32_t j = 1; j <= std::min(length_, band) && score > 0; ++j, score -= scoring.insertion_extend) {
      h_[j] = static_cast<Lane>(score);
    }
  }

  Extension run(const Strand& genome);

 private:
  V row(std::uint8_t base, std::int32_t low, std::int32_t end, std::int32_t left, SimdRow& found);
  RowBest best_of(V highest, std::int32_t begin, std::int32_t end) const;

  static constexpr auto edges_ = [] {
    std::array<Lane, 3 * lanes> values{};
    for (std::size_t i = lanes; i < 2 * lanes; ++i) values[i] = std::numeric_limits<Lane>::max();
    return values;
  }();

  /// All ones in the lanes from `begin` on, or in those before `end`; arguments may be out of range.
  static V lanes_from(std::int32_t begin) {
    return hn::LoadU(D(), edges_.data() + lanes - std::clamp(begin, 0, lanes));
  }
  static V lanes_below(std::int32_t end) {
    return hn::LoadU(D(), edges_.data() + 2 * lanes - std::clamp(end, 0, lanes));
  }

  /// Broadcasts v's last lane.
  static V last_lane(V v) {
    const hn::FixedTag<std::uint8_t, 16> bytes;
    alignas(16) static constexpr auto from = [] {
      std::array<std::uint8_t, 16> values{};
      for (std::size_t i = 0; i < 16; ++i) values[i] = static_cast<std::uint8_t>(16 - sizeof(Lane) + i % sizeof(Lane));
      return values;
    }();
    return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::Load(bytes, from.data())));
  }

  /// One bit per lane that is not 0.
  static std::uint32_t bits_alive(V v) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(D(), hn::Ne(v, hn::Zero(D())), reinterpret_cast<std::uint8_t*>(&bits));
    return static_cast<std::uint32_t>(bits);
  }

  /// Lane i becomes the maximum of v's lanes up to i, less the insertion extension cost per lane of distance.
  V running(V v) const {
    const D d;
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<1>(d, v), extend_insertion_));
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<2>(d, v), extend_two_));
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<4>(d, v), extend_four_));
    if constexpr (lanes > 8) v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<8>(d, v), extend_eight_));
    return v;
  }

  /// In every lane: the cost of `times` more inserted bases.
  static V extended(const Scoring& scoring, std::int64_t times) {
    return hn::Set(D(), SimdCosts<Lane>::held(times * scoring.insertion_extend));
  }

  /// In lane i: the cost of i more inserted bases.
  static V ramp(const Scoring& scoring) {
    alignas(16) Lane values[lanes];
    for (std::int32_t i = 0; i < lanes; ++i) {
      values[i] = SimdCosts<Lane>::held(std::int64_t{i} * scoring.insertion_extend);
    }
    return hn::Load(D(), values);
  }

  std::int32_t length_, start_, band_;
  const Scoring& scoring_;
  const SimdCosts<Lane> costs_;
  const V match_ = hn::Set(D(), costs_.match);
  const V open_deletion_ = hn::Set(D(), costs_.deletion_open);
  const V extend_deletion_ = hn::Set(D(), costs_.deletion_extend);
  const V open_insertion_ = hn::Set(D(), costs_.insertion_open);
  const V extend_insertion_ = hn::Set(D(), costs_.insertion_extend);
  const V extend_two_ = extended(scoring_, 2), extend_four_ = extended(scoring_, 4);
  const V extend_eight_ = extended(scoring_, 8), extend_through_ = extended(scoring_, lanes);
  const V ramp_ = ramp(scoring_);
  std::int32_t first_ = 0;           // column of the first vector with live cells
  Lane *h_, *e_;                     // [columns] as ExtensionCell
  Lane *codes_, *costs_of_, *ones_;  // [columns] the query, its bases' mismatch costs, ones
};

/// One genome base against query columns [begin, end), as extend_row(). Returns the highest score per lane. `low`: the
/// start of the band. Cells between it and `begin` are dead already. So load addresses depend only on values known
/// early, and the last row's live columns are needed late.
template <class Lane>
auto SimdBandedDp<Lane>::row(std::uint8_t base, std::int32_t low, std::int32_t end, std::int32_t left, SimdRow& found)
    -> V {
  const D d;
  const V code = hn::Set(d, base > 3 ? Lane{0xFF} : static_cast<Lane>(base));  // an N equals nothing
  const Lane* costs = base > 3 ? ones_ : costs_of_;
  V highest = hn::Zero(d), insertion_from_left = hn::Zero(d);
  V carry = hn::And(hn::Set(d, static_cast<Lane>(left)), lanes_below(1));
  for (std::int32_t at = first_; at <= end; at += lanes) {
    const V in_band = lanes_from(low - at), valid = lanes_below(end - at);
    const V diagonal = hn::And(hn::Load(d, h_ + at), in_band), deletion = hn::And(hn::Load(d, e_ + at), in_band);
    const V same = hn::VecFromMask(d, hn::Eq(hn::Load(d, codes_ + at), code));
    const V dead = hn::VecFromMask(d, hn::Eq(diagonal, hn::Zero(d)));
    const V gained = hn::SaturatedAdd(diagonal, hn::AndNot(dead, hn::And(same, match_)));
    const V aligned = hn::SaturatedSub(gained, hn::AndNot(same, hn::Load(d, costs + at)));
    const V opened = hn::SaturatedSub(aligned, open_insertion_);
    const V inside = running(hn::ShiftLeftLanes<1>(d, opened));
    const V insertion = hn::Max(inside, hn::SaturatedSub(insertion_from_left, ramp_));
    const V leaving = last_lane(hn::Max(opened, hn::SaturatedSub(inside, extend_insertion_)));
    insertion_from_left = hn::Max(leaving, hn::SaturatedSub(insertion_from_left, extend_through_));
    const V h = hn::And(hn::Max(hn::Max(aligned, deletion), insertion), valid);
    const V e = hn::And(
        hn::Max(hn::SaturatedSub(deletion, extend_deletion_), hn::SaturatedSub(aligned, open_deletion_)), valid);
    const V moved = hn::Or(hn::ShiftLeftLanes<1>(d, h), carry);
    carry = hn::ShiftRightLanes<lanes - 1>(d, h);
    hn::Store(moved, d, h_ + at);
    hn::Store(e, d, e_ + at);
    highest = hn::Max(highest, h);
    const std::uint32_t alive = bits_alive(hn::Or(moved, e));
    if (alive == 0) continue;
    if (found.first_alive < 0) found.first_alive = at + std::countr_zero(alive);
    found.last_alive = at + 31 - std::countl_zero(alive);
  }
  return highest;
}

/// The best score of the current row, and its first column.
template <class Lane>
RowBest SimdBandedDp<Lane>::best_of(V highest, std::int32_t begin, std::int32_t end) const {
  const D d;
  RowBest best;
  const Lane score = hn::GetLane(hn::MaxOfLanes(d, highest));
  best.score = score;
  if (score == 0) return best;
  const V wanted = hn::Set(d, score);
  for (std::int32_t at = first_; at <= end; at += lanes) {
    const V equal = hn::VecFromMask(d, hn::Eq(hn::Load(d, h_ + at), wanted));
    const std::uint32_t bits = bits_alive(hn::And(equal, lanes_from(begin + 1 - at)));
    if (bits == 0) continue;
    best.column = at + std::countr_zero(bits) - 1;
    break;
  }
  return best;
}

template <class Lane>
Extension SimdBandedDp<Lane>::run(const Strand& genome) {
  const D d;
  Extension result;
  result.best_score = start_;
  if (length_ == 0) result.full_score = start_;
  std::int32_t begin = 0, end = length_;
  for (std::int32_t i = 0; i < genome.length; ++i) {
    begin = std::max(begin, i - band_);
    end = std::min({end, i + band_ + 1, length_});
    if (begin >= end) break;
    std::int32_t left = 0;
    if (begin == 0) left = start_ - scoring_.deletion_open - scoring_.deletion_extend * (i + 1);
    while (begin >= first_ + lanes) first_ += lanes;
    SimdRow found;
    const V highest = row(genome[i], i - band_, end, std::max(left, 0), found);
    if (end == length_ && ends_better(result, h_[length_], i + 1, length_)) {
      result.full_score = h_[length_];
      result.full_genome = i + 1;
    }
    // The row's best is computed only if it may be a new maximum, or so low that the extension may end.
    const bool higher = bits_alive(hn::SaturatedSub(highest, hn::Set(d, static_cast<Lane>(result.best_score)))) != 0;
    const std::int32_t least = std::max(result.best_score - scoring_.drop, 1);
    if (higher || bits_alive(hn::SaturatedSub(highest, hn::Set(d, static_cast<Lane>(least - 1)))) == 0) {
      const RowBest best = best_of(highest, begin, end);
      if (best.score == 0) break;
      if (higher) {
        result.best_score = best.score;
        result.best_query = best.column + 1;
        result.best_genome = i + 1;
      } else if (dropped(result, i, best, scoring_)) {
        break;
      }
    }
    begin = found.first_alive < 0 ? end : std::min(found.first_alive, end);
    end = std::min(std::max(found.last_alive, begin) + 2, length_);
  }
  return result;
}

}  // namespace

Extension extend_simd(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                      const Scoring& scoring, SimdScratch& scratch) {
  const std::int64_t highest = start_score + std::int64_t{query.length} * scoring.match;
  if (highest <= std::numeric_limits<std::uint8_t>::max()) {
    return SimdBandedDp<std::uint8_t>(query, start_score, band, scoring, scratch).run(genome);
  }
  if (highest <= std::numeric_limits<std::uint16_t>::max()) {
    return SimdBandedDp<std::uint16_t>(query, start_score, band, scoring, scratch).run(genome);
  }
  scratch.row.resize(std::max(scratch.row.size(), static_cast<std::size_t>(query.length) + 2));
  return extend_banded(query, genome, start_score, band, scoring, scratch.row.data());
}

}  // namespace warpseed::align
