// Shifts of lanes across a whole vector, and maxima that run along it. Compiled once for every width of vectors.
#if defined(WARPSEED_LANE_SHIFTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSEED_LANE_SHIFTS_INL
#undef WARPSEED_LANE_SHIFTS_INL
#else
#define WARPSEED_LANE_SHIFTS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace warpseed::align {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Shifts within a vector of 16-byte blocks, which shuffle instructions do not leave.
template <class D>
struct LaneShifts {
  using Lane = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using Bytes = hn::Repartition<std::uint8_t, D>;
  using Words = hn::Repartition<std::uint32_t, D>;
  static constexpr std::size_t block_lanes = 16 / sizeof(Lane), blocks = hn::MaxLanes(D()) / block_lanes;
  static_assert(blocks == 1 || blocks == 2 || blocks == 4);

  /// Moves every block to the next one. The first becomes the last one of `before`.
  static HWY_INLINE V blocks_up(V v, V before) {
    if constexpr (blocks == 1) return before;
    if constexpr (blocks == 2) return hn::ConcatLowerUpper(D(), v, before);
    if constexpr (blocks == 4) return either(hn::FirstN(Words(), 4), rotated(before, 12), rotated(v, 12));
  }

  /// Moves every block to the one before. The last becomes the first one of `after`.
  static HWY_INLINE V blocks_down(V v, V after) {
    if constexpr (blocks == 1) return after;
    if constexpr (blocks == 2) return hn::ConcatLowerUpper(D(), after, v);
    if constexpr (blocks == 4) return either(hn::FirstN(Words(), 12), rotated(v, 4), rotated(after, 4));
  }

  /// Moves every lane to the next one. The first becomes the last one of `before`.
  static HWY_INLINE V lanes_up(V v, V before) { return shifted_right<16 - sizeof(Lane)>(v, blocks_up(v, before)); }

  /// Moves every lane to the one before. The last becomes the first one of `after`.
  static HWY_INLINE V lanes_down(V v, V after) { return shifted_right<sizeof(Lane)>(blocks_down(v, after), v); }

  /// In every block: its last lane.
  static HWY_INLINE V last_of_blocks(V v) {
    alignas(16) static constexpr std::uint8_t ends[][16] = {
        {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15},
        {14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15}};
    return hn::BitCast(D(),
                       hn::TableLookupBytes(hn::BitCast(Bytes(), v), hn::LoadDup128(Bytes(), ends[sizeof(Lane) - 1])));
  }

  /// In every lane: the last one.
  static HWY_INLINE V last_lane(V v) {
    const V ends = last_of_blocks(v);
    if constexpr (blocks == 1) return ends;
    if constexpr (blocks == 2) return hn::ConcatUpperUpper(D(), ends, ends);
    if constexpr (blocks == 4) {
      alignas(64) static constexpr std::uint32_t last[16] = {15, 15, 15, 15, 15, 15, 15, 15,
                                                             15, 15, 15, 15, 15, 15, 15, 15};
      return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(Words(), ends), hn::SetTableIndices(Words(), last)));
    }
  }

  static HWY_INLINE Lane max_of_lanes(V v) {
    if constexpr (blocks == 1) {
      return hn::GetLane(hn::MaxOfLanes(D(), v));
    } else {
      const hn::Half<D> half;
      return LaneShifts<hn::Half<D>>::max_of_lanes(hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
  }

 private:
  template <int bytes>
  static HWY_INLINE V shifted_right(V high, V low) {
    return hn::BitCast(
        D(), hn::CombineShiftRightBytes<bytes>(Bytes(), hn::BitCast(Bytes(), high), hn::BitCast(Bytes(), low)));
  }

  /// The four blocks, starting with the one of 32-bit word `first`.
  static HWY_INLINE V rotated(V v, std::size_t first) {
    alignas(64) static constexpr std::uint32_t numbers[] = {0,  1,  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                                            14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8,  9,  10, 11};
    const auto from = hn::IndicesFromVec(Words(), hn::LoadU(Words(), numbers + first));
    return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(Words(), v), from));
  }

  static HWY_INLINE V either(hn::Mask<Words> first, V yes, V no) {
    return hn::BitCast(D(), hn::IfThenElse(first, hn::BitCast(Words(), yes), hn::BitCast(Words(), no)));
  }
};

/// Maxima that run along lanes and lose a cost per lane of distance. Lanes are unsigned; subtraction saturates at 0.
template <class D>
class RunningMax {
  using Shifts = LaneShifts<D>;
  using Lane = hn::TFromD<D>;
  using V = hn::Vec<D>;

 public:
  explicit RunningMax(std::uint32_t cost) {
    one_ = times(cost, 1), two_ = times(cost, 2), four_ = times(cost, 4), eight_ = times(cost, 8);
    block_ = times(cost, Shifts::block_lanes), two_blocks_ = times(cost, 2 * Shifts::block_lanes);
    alignas(64) Lane ramp[hn::MaxLanes(D())], in_block[hn::MaxLanes(D())];
    for (std::size_t i = 0; i < hn::MaxLanes(D()); ++i) {
      ramp[i] = held(std::uint64_t{cost} * (i + 1));
      in_block[i] = held(std::uint64_t{cost} * (i % Shifts::block_lanes + 1));
    }
    ramp_ = hn::Load(D(), ramp), ramp_in_block_ = hn::Load(D(), in_block);
  }

  /// Lane i becomes the maximum of `before`, less the cost of i + 1 lanes, and of v's lanes up to i. before: the same
  /// value in all lanes, the running maximum where v begins.
  HWY_INLINE V of(V v, V before) const {
    const D d;
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<1>(d, v), one_));
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<2>(d, v), two_));
    v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<4>(d, v), four_));
    if constexpr (Shifts::block_lanes > 8) v = hn::Max(v, hn::SaturatedSub(hn::ShiftLeftLanes<8>(d, v), eight_));
    if constexpr (Shifts::blocks > 1) {
      const V none = hn::Zero(d);
      V from = Shifts::blocks_up(Shifts::last_of_blocks(v), none);
      if constexpr (Shifts::blocks > 2) {
        from = hn::Max(from, hn::SaturatedSub(Shifts::blocks_up(from, none), block_));
        from = hn::Max(from, hn::SaturatedSub(Shifts::blocks_up(Shifts::blocks_up(from, none), none), two_blocks_));
      }
      v = hn::Max(v, hn::SaturatedSub(from, ramp_in_block_));
    }
    return hn::Max(v, hn::SaturatedSub(before, ramp_));
  }

 private:
  static Lane held(std::uint64_t value) {
    constexpr std::uint64_t most = static_cast<Lane>(~std::uint64_t{0});
    return static_cast<Lane>(value < most ? value : most);
  }
  static V times(std::uint32_t cost, std::uint64_t lanes) { return hn::Set(D(), held(cost * lanes)); }

  V one_, two_, four_, eight_, block_, two_blocks_;
  V ramp_, ramp_in_block_;
};

}  // namespace HWY_NAMESPACE
}  // namespace warpseed::align
HWY_AFTER_NAMESPACE();

#endif
