#include "align/extend_lanes.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>

namespace warpseed {

namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Scores and penalties as lanes hold them. Unsigned subtraction stops at 0, which is what makes a cell dead.
template <class Lane>
struct LaneCosts {
  Lane match, mismatch, deletion_open, deletion_extend, insertion_open, insertion_extend;  // open: with the first base

  explicit LaneCosts(const Scoring& s)
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

/// What one row of the programme found, beside the scores it left in memory.
struct LaneRow {
  std::int32_t first_alive = -1, last_alive = -1;  // columns with something to grow from
};

/// One extension. Columns are cut into vectors at fixed places, so that a row reads what the row before it wrote.
template <class Lane>
class LaneProgramme {
  static constexpr std::int32_t lanes = 16 / sizeof(Lane);
  using D = hn::FixedTag<Lane, static_cast<std::size_t>(lanes)>;
  using V = hn::Vec<D>;

 public:
  LaneProgramme(const Strand& query, std::int32_t start_score, std::int32_t band, const Scoring& scoring,
                LaneScratch& scratch)
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
  V row(std::uint8_t base, std::int32_t begin, std::int32_t end, std::int32_t left, LaneRow& found);
  RowBest best_of(V highest, std::int32_t begin, std::int32_t end) const;

  /// All ones in the lanes [begin, end) of the vector at column `at`.
  static V between(std::int32_t at, std::int32_t begin, std::int32_t end) {
    static constexpr auto edges = [] {
      std::array<Lane, 3 * lanes> values{};
      for (std::size_t i = lanes; i < 2 * lanes; ++i) values[i] = std::numeric_limits<Lane>::max();
      return values;
    }();
    const std::int32_t from = std::clamp(begin - at, 0, lanes), to = std::clamp(end - at, 0, lanes);
    return hn::And(hn::LoadU(D(), edges.data() + lanes - from), hn::LoadU(D(), edges.data() + 2 * lanes - to));
  }

  /// A bit for every lane that is not 0.
  static std::uint32_t bits_alive(V v) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(D(), hn::Ne(v, hn::Zero(D())), reinterpret_cast<std::uint8_t*>(&bits));
    return static_cast<std::uint32_t>(bits);
  }

  /// v's lane i becomes the highest of v's lanes up to i, less `extend` a lane of distance.
  V running(V v) const {
    const D d;
    const auto step = [&](V moved, std::int32_t distance) {
      const std::int64_t loss = std::int64_t{distance} * costs_.insertion_extend;
      v = hn::Max(v, hn::SaturatedSub(moved, hn::Set(d, LaneCosts<Lane>::held(loss))));
    };
    step(hn::ShiftLeftLanes<1>(d, v), 1);
    step(hn::ShiftLeftLanes<2>(d, v), 2);
    step(hn::ShiftLeftLanes<4>(d, v), 4);
    if constexpr (lanes > 8) step(hn::ShiftLeftLanes<8>(d, v), 8);
    return v;
  }

  std::int32_t length_, start_, band_;
  const Scoring& scoring_;
  const LaneCosts<Lane> costs_;
  Lane *h_, *e_;                     // [columns] as ExtensionCell
  Lane *codes_, *costs_of_, *ones_;  // [columns] the query, what its bases cost where they differ, ones
};

/// One genome base against query columns [begin, end), as extend_row(). Returns the highest score of every lane.
template <class Lane>
auto LaneProgramme<Lane>::row(std::uint8_t base, std::int32_t begin, std::int32_t end, std::int32_t left,
                              LaneRow& found) -> V {
  const D d;
  const V code = hn::Set(d, base > 3 ? Lane{0xFF} : static_cast<Lane>(base));  // an N equals nothing
  const Lane* costs = base > 3 ? ones_ : costs_of_;
  const V match = hn::Set(d, costs_.match), open_deletion = hn::Set(d, costs_.deletion_open);
  const V extend_deletion = hn::Set(d, costs_.deletion_extend), open_insertion = hn::Set(d, costs_.insertion_open);
  const V extend_insertion = hn::Set(d, costs_.insertion_extend);
  V highest = hn::Zero(d), insertion_carry = hn::Zero(d);
  V carry = hn::And(hn::Set(d, static_cast<Lane>(left)), between(0, 0, 1));
  for (std::int32_t at = begin / lanes * lanes; at <= end; at += lanes) {
    const V valid = between(at, begin, end);
    const V diagonal = hn::And(hn::Load(d, h_ + at), valid), deletion = hn::And(hn::Load(d, e_ + at), valid);
    const auto dead = hn::Eq(diagonal, hn::Zero(d));
    V aligned = hn::IfThenElse(hn::Eq(hn::Load(d, codes_ + at), code), hn::SaturatedAdd(diagonal, match),
                               hn::SaturatedSub(diagonal, hn::Load(d, costs + at)));
    aligned = hn::IfThenZeroElse(dead, aligned);
    const V opened = hn::SaturatedSub(aligned, open_insertion);
    const V insertion = running(hn::Or(hn::ShiftLeftLanes<1>(d, opened), insertion_carry));
    insertion_carry = hn::ShiftRightLanes<lanes - 1>(d, hn::Max(opened, hn::SaturatedSub(insertion, extend_insertion)));
    const V h = hn::And(hn::Max(hn::Max(aligned, deletion), insertion), valid);
    const V e = hn::Max(hn::SaturatedSub(deletion, extend_deletion), hn::SaturatedSub(aligned, open_deletion));
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

/// The best score of the row that was just made, and its first column.
template <class Lane>
RowBest LaneProgramme<Lane>::best_of(V highest, std::int32_t begin, std::int32_t end) const {
  const D d;
  RowBest best;
  const Lane score = hn::GetLane(hn::MaxOfLanes(d, highest));
  best.score = score;
  if (score == 0) return best;
  const V wanted = hn::Set(d, score);
  for (std::int32_t at = begin / lanes * lanes; at <= end; at += lanes) {
    const V equal = hn::And(hn::VecFromMask(d, hn::Eq(hn::Load(d, h_ + at), wanted)), between(at, begin + 1, end + 1));
    const std::uint32_t bits = bits_alive(equal);
    if (bits == 0) continue;
    best.column = at + std::countr_zero(bits) - 1;
    break;
  }
  return best;
}

template <class Lane>
Extension LaneProgramme<Lane>::run(const Strand& genome) {
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
    LaneRow found;
    const V highest = row(genome[i], begin, end, std::max(left, 0), found);
    if (end == length_ && h_[length_] > result.full_score && h_[length_] > 0) {
      result.full_score = h_[length_];
      result.full_genome = i + 1;
    }
    // The row's best is looked for only where it may be the best of all, or so low that the extension may end.
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

Extension extend_lanes(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                       const Scoring& scoring, LaneScratch& scratch) {
  const std::int64_t highest = start_score + std::int64_t{query.length} * scoring.match;
  if (highest <= std::numeric_limits<std::uint8_t>::max()) {
    return LaneProgramme<std::uint8_t>(query, start_score, band, scoring, scratch).run(genome);
  }
  if (highest <= std::numeric_limits<std::uint16_t>::max()) {
    return LaneProgramme<std::uint16_t>(query, start_score, band, scoring, scratch).run(genome);
  }
  scratch.row.resize(std::max(scratch.row.size(), static_cast<std::size_t>(query.length) + 2));
  return extend_banded(query, genome, start_score, band, scoring, scratch.row.data());
}

}  // namespace warpseed
