// Strings left tied by a round: small groups are sorted by comparisons, large ones go to the next round.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/groups.cuh"
#include "sort/string_keys.cuh"

namespace warpseed::sort::cuda {

/// The depth of a group whose strings are equal.
constexpr std::uint32_t all_equal = 0xFFFFFFFFU;

/// Output of the sort: strings and heads by row, [count] each.
struct SortedOutput {
  std::uint32_t* order = nullptr;
  std::uint8_t* heads = nullptr;  // 1: the string differs from the one before it
};

/// The slots of a round after the sort.
struct SortedSlots {
  const std::uint64_t* keys = nullptr;     // [count]
  const std::uint32_t* strings = nullptr;  // [count]
  const std::uint32_t* rows = nullptr;     // [count] their rows in the final order; null: slot i is row i
  const std::uint32_t* depths = nullptr;   // [groups] of the round; null: 0
  std::uint64_t count = 0;
  KeyShape shape;
  std::uint32_t small_group = 16;  // groups of at most this many strings are sorted by comparing all pairs

  __device__ std::uint32_t row(std::uint64_t slot) const {
    return rows == nullptr ? static_cast<std::uint32_t>(slot) : rows[slot];
  }
  __device__ std::uint32_t depth(std::uint64_t slot) const {
    return depths == nullptr ? 0 : depths[shape.group_of(keys[slot])];
  }
};

/// Writes the final row of every string that has a unique key, has ended, or is in a small group; `ties` are the
/// others, before sum_up(). False if there are none. Waits.
template <class Text>
bool write_settled(const Strings<Text>& strings, const SortedSlots& slots, const SortedOutput& output, Groups& ties,
                   const Stream& stream);

/// The strings of the next round: [ties] each, in row order, and their [groups]. extend: compute the prefix length that
/// each group shares; otherwise depths() are those known from this round.
class Ties {
 public:
  template <class Text>
  Ties(const Strings<Text>& strings, const SortedSlots& slots, const Groups& groups, bool extend, const Stream& stream);

  SlotsView view() const { return {strings_.data(), group_of_.data(), depths_.data(), strings_.size()}; }
  const std::uint32_t* rows() const { return rows_.data(); }
  const std::uint32_t* depths() const { return depths_.data(); }
  const Buffer<std::uint32_t>& strings() const { return strings_; }
  std::uint64_t count() const { return strings_.size(); }
  std::uint64_t groups() const { return firsts_.size(); }

 private:
  Buffer<std::uint32_t> strings_, rows_, group_of_;
  Buffer<std::uint32_t> firsts_;  // first string of each group
  Buffer<std::uint32_t> known_;   // known length of the shared prefix
  Buffer<std::uint32_t> depths_;  // exact length of the shared prefix; ~0 if the strings are equal
};

}  // namespace warpseed::sort::cuda
