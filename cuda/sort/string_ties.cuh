// Strings that a round has left together: small groups are put in order by comparing, large ones go on.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/groups.cuh"
#include "sort/string_keys.cuh"

namespace warpseed::sort::cuda {

/// The depth of a group whose strings are equal.
constexpr std::uint32_t all_equal = 0xFFFFFFFFU;

/// Where strings go once their place is known: [count] each.
struct Places {
  std::uint32_t* order = nullptr;
  std::uint8_t* heads = nullptr;  // 1: the string differs from the one before it
};

/// A round's slots after the sort.
struct SortedSlots {
  const std::uint64_t* keys = nullptr;     // [count]
  const std::uint32_t* strings = nullptr;  // [count]
  const std::uint32_t* rows = nullptr;     // [count] their places in the order; null: slot i is row i
  const std::uint32_t* depths = nullptr;   // [groups] of the round; null: 0
  std::uint64_t count = 0;
  KeyShape shape;
  std::uint32_t small_group = 16;  // groups of at most so many strings are put in order by comparing each with each

  __device__ std::uint32_t row(std::uint64_t slot) const {
    return rows == nullptr ? static_cast<std::uint32_t>(slot) : rows[slot];
  }
  __device__ std::uint32_t depth(std::uint64_t slot) const {
    return depths == nullptr ? 0 : depths[shape.group_of(keys[slot])];
  }
};

/// Places every string that is alone with its key, or has ended, or is in a small group; `ties` are the others, not
/// summed up. False: there are none. Waits.
template <class Text>
bool settle(const Strings<Text>& strings, const SortedSlots& slots, const Places& places, Groups& ties,
            const Stream& stream);

/// The strings that go on: [ties] each, in row order, and [groups] of theirs. extend: find out how far the strings of
/// a group go together, without which depths() are what the round has told.
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
  Buffer<std::uint32_t> firsts_;  // each group's first string
  Buffer<std::uint32_t> known_;   // symbols that its strings are known to share
  Buffer<std::uint32_t> depths_;  // all that they share; ~0 when they are equal
};

}  // namespace warpseed::sort::cuda
