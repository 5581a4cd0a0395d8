// The recurrence of two_piece_core.hpp, an anti-diagonal at a time in vectors of 8-bit lanes. Compiled once for every
// width of vectors; the width changes no result.
#if defined(WARPSEED_TWO_PIECE_DP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSEED_TWO_PIECE_DP_INL
#undef WARPSEED_TWO_PIECE_DP_INL
#else
#define WARPSEED_TWO_PIECE_DP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "align/extend/lane_shifts-inl.hpp"
#include "align/long_reads/two_piece_dp.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpseed::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The recurrence of one cell in every lane.
template <class D>
class TwoPieceCells {
  using V = hn::Vec<D>;

 public:
  explicit TwoPieceCells(const LongScoring& s)
      : match_(constant(s.match)),
        mismatch_(constant(-s.mismatch)),
        open_(constant(-s.gap_open)),
        extend_(constant(s.gap_extend)),
        long_open_(constant(-s.long_gap_open)),
        long_extend_(constant(s.long_gap_extend)) {}

  /// What a cell reads from its neighbours: v, x, x2 of the genome base before, u, y, y2 of the query base before. They
  /// become the cell's own. Returns how its best path reaches it, as two_piece_step.
  HWY_INLINE V compute(V base, V other, V& u, V& v, V& x, V& y, V& x2, V& y2) const {
    const D d;
    const V deletion = hn::SaturatedAdd(x, v), insertion = hn::SaturatedAdd(y, u);
    const V deletion2 = hn::SaturatedAdd(x2, v), insertion2 = hn::SaturatedAdd(y2, u);
    V best = hn::IfThenElse(hn::Eq(base, other), match_, mismatch_);
    best = hn::IfThenElse(hn::Gt(hn::Max(base, other), constant(3)), constant(-1), best);
    V step = hn::Zero(d);
    const auto take = [&](V other_best, std::uint8_t state) HWY_ATTR {
      step = hn::IfThenElse(hn::Gt(other_best, best), constant(state), step);
      best = hn::Max(best, other_best);
    };
    take(deletion, two_piece_step::deletion), take(insertion, two_piece_step::insertion);
    take(deletion2, two_piece_step::long_deletion), take(insertion2, two_piece_step::long_insertion);
    const V before = u;
    u = hn::SaturatedSub(best, v);
    v = hn::SaturatedSub(best, before);
    const auto leave = [&](V gap, V open, V extend, std::uint8_t state) HWY_ATTR {
      const V relative = hn::SaturatedSub(gap, best);
      step = hn::Or(step, hn::IfThenElseZero(hn::Gt(relative, open), constant(1 << (state + 2))));
      return hn::SaturatedSub(hn::Max(relative, open), extend);
    };
    x = leave(deletion, open_, extend_, two_piece_step::deletion);
    y = leave(insertion, open_, extend_, two_piece_step::insertion);
    x2 = leave(deletion2, long_open_, long_extend_, two_piece_step::long_deletion);
    y2 = leave(insertion2, long_open_, long_extend_, two_piece_step::long_insertion);
    return step;
  }

  static HWY_INLINE V constant(std::int32_t value) { return hn::Set(D(), static_cast<std::int8_t>(value)); }

 private:
  const V match_, mismatch_, open_, extend_, long_open_, long_extend_;
};

/// One DP. Lane i of every array is genome base i; an anti-diagonal replaces the values of the last one.
template <bool with_scores>
class TwoPieceDp {
  using D = hn::CappedTag<std::int8_t, 64>;
  using Wide = hn::CappedTag<std::int32_t, 16>;
  using V = hn::Vec<D>;
  static constexpr std::int32_t lanes = hn::MaxLanes(D()), wide_lanes = hn::MaxLanes(Wide());

 public:
  TwoPieceDp(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome, const DiagonalBand& band,
             const LongScoring& scoring, TwoPieceScratch& scratch)
      : query_length_(static_cast<std::int32_t>(query.size())),
        genome_length_(static_cast<std::int32_t>(genome.size())),
        band_(band),
        scoring_(scoring),
        scratch_(scratch) {
    lay_out();
    std::copy(genome.begin(), genome.end(), genome_);
    std::copy(query.rbegin(), query.rend(), query_);
  }

  /// All anti-diagonals, or with scores until the extension ends.
  TwoPieceEnd run();

 private:
  void lay_out();
  void set_borders(std::int32_t number, const AntiDiagonal& last, const AntiDiagonal& cells);
  void set_first_score(std::int32_t number, const AntiDiagonal& last, const AntiDiagonal& cells);
  void fill(std::int32_t number, const AntiDiagonal& cells, std::uint8_t* steps);
  std::int32_t add_scores(const AntiDiagonal& cells);
  bool goes_on(std::int32_t number, const AntiDiagonal& cells, std::int32_t highest);

  /// What a gap of length + 1 costs more than one of `length`.
  std::int8_t cost_of_next(std::int32_t length) const {
    return static_cast<std::int8_t>(gap_cost(scoring_, length + 1) - gap_cost(scoring_, length));
  }
  std::int8_t new_gap() const { return static_cast<std::int8_t>(-scoring_.gap_open - scoring_.gap_extend); }
  std::int8_t new_long_gap() const {
    return static_cast<std::int8_t>(-scoring_.long_gap_open - scoring_.long_gap_extend);
  }

  static constexpr auto unreachable = static_cast<std::int8_t>(unreachable_gap);

  const std::int32_t query_length_, genome_length_;
  const DiagonalBand band_;
  const LongScoring& scoring_;
  TwoPieceScratch& scratch_;
  std::int8_t *u_, *y_, *y2_;     // [genome bases]
  std::int8_t *v_, *x_, *x2_;     // from genome base -1 on
  std::int8_t *genome_, *query_;  // codes; the query reversed
  std::int32_t* scores_;          // [genome bases] H
  TwoPieceEnd best_ = {}, at_query_end_ = {0, 0, std::numeric_limits<std::int32_t>::min()};
};

template <bool with_scores>
void TwoPieceDp<with_scores>::lay_out() {
  const std::size_t cells = static_cast<std::size_t>(genome_length_) + lanes + 1;
  const std::size_t total = 7 * cells + static_cast<std::size_t>(query_length_) + 2 * lanes;
  if (scratch_.lanes.size() < total) scratch_.lanes.resize(total);
  std::int8_t* at = scratch_.lanes.data();
  for (std::int8_t** array : {&u_, &y_, &y2_, &v_, &x_, &x2_, &genome_}) *array = at, at += cells;
  ++v_, ++x_, ++x2_;  // base -1
  query_ = at;
  if constexpr (with_scores) {
    if (scratch_.scores.size() < cells) scratch_.scores.resize(cells);
    scores_ = scratch_.scores.data();
  }
}

/// Sets what the first and the last cell read from outside the anti-diagonal before: the matrix's border, or cells
/// outside the band, from which no path comes.
template <bool with_scores>
void TwoPieceDp<with_scores>::set_borders(std::int32_t number, const AntiDiagonal& last, const AntiDiagonal& cells) {
  const std::int32_t before = cells.begin - 1, after = cells.end - 1;
  if (before < 0) {
    v_[before] = static_cast<std::int8_t>(-cost_of_next(number));
    x_[before] = new_gap(), x2_[before] = new_long_gap();
  } else if (before < last.begin) {
    v_[before] = new_gap(), x_[before] = x2_[before] = unreachable;
  }
  if (after == number) {
    u_[after] = static_cast<std::int8_t>(-cost_of_next(number));
    y_[after] = new_gap(), y2_[after] = new_long_gap();
  } else if (after >= last.end) {
    u_[after] = new_gap(), y_[after] = y2_[after] = unreachable;
  }
}

/// Computes the cells, the last ones first: they read the lane before them as it was.
template <bool with_scores>
HWY_INLINE void TwoPieceDp<with_scores>::fill(std::int32_t number, const AntiDiagonal& cells, std::uint8_t* steps) {
  const D d;
  const hn::Repartition<std::uint8_t, D> bytes;
  const TwoPieceCells<D> recurrence(scoring_);
  const std::int8_t* const query = query_ + (query_length_ - 1 - number);
  const std::int32_t blocks = (cells.end - cells.begin + lanes - 1) / lanes;
  for (std::int32_t at = cells.begin + (blocks - 1) * lanes; at >= cells.begin; at -= lanes) {
    V u = hn::LoadU(d, u_ + at), y = hn::LoadU(d, y_ + at), y2 = hn::LoadU(d, y2_ + at);
    V v = hn::LoadU(d, v_ + at - 1), x = hn::LoadU(d, x_ + at - 1), x2 = hn::LoadU(d, x2_ + at - 1);
    const V step = recurrence.compute(hn::LoadU(d, genome_ + at), hn::LoadU(d, query + at), u, v, x, y, x2, y2);
    hn::StoreU(u, d, u_ + at), hn::StoreU(y, d, y_ + at), hn::StoreU(y2, d, y2_ + at);
    hn::StoreU(v, d, v_ + at), hn::StoreU(x, d, x_ + at), hn::StoreU(x2, d, x2_ + at);
    hn::StoreU(hn::BitCast(bytes, step), bytes, steps + (at - cells.begin));
  }
}

/// Sets what the last cell's score is added to: that of its left neighbour, which is on the border, or outside the
/// band.
template <bool with_scores>
void TwoPieceDp<with_scores>::set_first_score(std::int32_t number, const AntiDiagonal& last,
                                              const AntiDiagonal& cells) {
  const std::int32_t after = cells.end - 1;
  if (after == number) {
    scores_[after] = -gap_cost(scoring_, number + 1);
  } else if (after >= last.end) {
    scores_[after] = scores_[after - 1] - v_[after - 1] + new_gap();
  }
}

/// Adds the differences to the scores of the cells' left neighbours. Returns the highest score.
template <bool with_scores>
HWY_INLINE std::int32_t TwoPieceDp<with_scores>::add_scores(const AntiDiagonal& cells) {
  const Wide d;
  const hn::Rebind<std::int8_t, Wide> narrow;
  auto highest = hn::Set(d, std::numeric_limits<std::int32_t>::min());
  std::int32_t at = cells.begin;
  for (; at + wide_lanes <= cells.end; at += wide_lanes) {
    const auto score = hn::Add(hn::LoadU(d, scores_ + at), hn::PromoteTo(d, hn::LoadU(narrow, v_ + at)));
    hn::StoreU(score, d, scores_ + at);
    highest = hn::Max(highest, score);
  }
  std::int32_t most = hn::GetLane(hn::MaxOfLanes(d, highest));
  for (; at < cells.end; ++at) {
    scores_[at] += v_[at];
    most = std::max(most, scores_[at]);
  }
  return most;
}

/// Takes the anti-diagonal's scores into the result. Of equal ends the first one counts, of one anti-diagonal the one
/// with the fewest genome bases.
template <bool with_scores>
bool TwoPieceDp<with_scores>::goes_on(std::int32_t number, const AntiDiagonal& cells, std::int32_t highest) {
  if (number - cells.begin == query_length_ - 1 && scores_[cells.begin] > at_query_end_.score) {
    at_query_end_ = {query_length_, cells.begin + 1, scores_[cells.begin]};
  }
  const bool better = highest > best_.score;
  if (!better && best_.score - highest <= scoring_.drop) return true;
  const std::int32_t *const first = scores_ + cells.begin, *const past = scores_ + cells.end;
  const auto at = cells.begin + static_cast<std::int32_t>(std::find(first, past, highest) - first);
  const TwoPieceEnd end = {number - at + 1, at + 1, highest};
  if (better) {
    best_ = end;
    return true;
  }
  const std::int32_t gap =
      std::abs((end.genome_length - best_.genome_length) - (end.query_length - best_.query_length));
  return best_.score - highest <= scoring_.drop + gap * scoring_.long_gap_extend;
}

template <bool with_scores>
TwoPieceEnd TwoPieceDp<with_scores>::run() {
  scratch_.rows.clear();
  std::size_t used = 0;
  AntiDiagonal last = {0, 0};
  for (std::int32_t number = 0; number < query_length_ + genome_length_ - 1; ++number) {
    const AntiDiagonal cells = AntiDiagonal::at(number, query_length_, genome_length_, band_);
    if (cells.begin >= cells.end) break;
    if (scratch_.steps.size() < used + static_cast<std::size_t>(cells.end - cells.begin) + lanes) {
      scratch_.steps.resize(2 * scratch_.steps.size() + static_cast<std::size_t>(cells.end - cells.begin) + lanes);
    }
    set_borders(number, last, cells);
    if constexpr (with_scores) set_first_score(number, last, cells);
    fill(number, cells, scratch_.steps.data() + used);
    scratch_.rows.push_back(used - static_cast<std::size_t>(cells.begin));  // may wrap around; cells add it back
    used += static_cast<std::size_t>(cells.end - cells.begin);
    last = cells;
    if constexpr (with_scores) {
      if (!goes_on(number, cells, add_scores(cells))) break;
    }
  }
  return at_query_end_.score >= best_.score - scoring_.end_bonus ? at_query_end_ : best_;
}

/// The same for a genome of at most as many bases as a vector has lanes, within a band that has all diagonals: the
/// values stay in registers. Steps are stored for all lanes.
class ShortTwoPieceDp {
  using D = hn::CappedTag<std::int8_t, 64>;
  using V = hn::Vec<D>;
  using Shifts = LaneShifts<D>;

 public:
  static constexpr std::int32_t lanes = hn::MaxLanes(D());

  static HWY_INLINE void run(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                             const LongScoring& scoring, TwoPieceScratch& scratch);
};

HWY_INLINE void ShortTwoPieceDp::run(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                                     const LongScoring& scoring, TwoPieceScratch& scratch) {
  const D d;
  const hn::Repartition<std::uint8_t, D> bytes;
  const auto query_length = static_cast<std::int32_t>(query.size());
  const auto genome_length = static_cast<std::int32_t>(genome.size());
  const std::int32_t diagonals = query_length + genome_length - 1;
  const std::size_t room = query.size() + 3 * lanes;
  if (scratch.lanes.size() < room) scratch.lanes.resize(room);
  std::int8_t* const reversed = scratch.lanes.data() + lanes;  // lanes before the last base's are read, and not used
  std::copy(query.rbegin(), query.rend(), reversed);
  HWY_ALIGN std::int8_t codes[lanes] = {};
  std::copy(genome.begin(), genome.end(), codes);
  const std::size_t steps = static_cast<std::size_t>(diagonals) * lanes;
  if (scratch.steps.size() < steps) scratch.steps.resize(steps);
  scratch.rows.resize(static_cast<std::size_t>(diagonals));

  const TwoPieceCells<D> recurrence(scoring);
  const auto constant = [](std::int32_t value) HWY_ATTR { return TwoPieceCells<D>::constant(value); };
  const V new_gap = constant(-scoring.gap_open - scoring.gap_extend);
  const V new_long_gap = constant(-scoring.long_gap_open - scoring.long_gap_extend);
  const V base = hn::Load(d, codes), number_of_lane = hn::Iota(d, std::int8_t{0});
  V u = new_gap, y = new_gap, y2 = new_long_gap, v = new_gap, x = new_gap, x2 = new_long_gap;
  for (std::int32_t number = 0; number < diagonals; ++number) {
    const V border = constant(gap_cost(scoring, number) - gap_cost(scoring, number + 1));
    if (number < lanes) {  // the first query base
      const auto first = hn::Eq(number_of_lane, constant(number));
      u = hn::IfThenElse(first, border, u);
      y = hn::IfThenElse(first, new_gap, y), y2 = hn::IfThenElse(first, new_long_gap, y2);
    }
    v = Shifts::lanes_up(v, border), x = Shifts::lanes_up(x, new_gap), x2 = Shifts::lanes_up(x2, new_long_gap);
    const V other = hn::LoadU(d, reversed + (query_length - 1 - number));
    const V step = recurrence.compute(base, other, u, v, x, y, x2, y2);
    const std::size_t row = static_cast<std::size_t>(number) * lanes;
    hn::StoreU(hn::BitCast(bytes, step), bytes, scratch.steps.data() + row);
    scratch.rows[static_cast<std::size_t>(number)] = row;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpseed::align
HWY_AFTER_NAMESPACE();

#endif
