// Minima of ranges: nodes of eight values, each a memory sector, and a table on top.
#pragma once

#include <cstdint>
#include <limits>

#include "core/bits.hpp"
#include "core/host_device.hpp"

namespace warpseed {

constexpr unsigned rmq_levels = 4;               // levels of minima over the values, each of eight of the level below
constexpr unsigned rmq_top = rmq_levels + 1;     // the level whose ranges the table knows
constexpr std::uint64_t rmq_top_span = 1 << 15;  // 8^5 values under one of the table's entries

/// Half-open range of positions in an array.
template <class Index>
struct IndexRange {
  Index begin = 0;
  Index end = 0;

  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// A minimum and where it stands first on its level.
template <class Value>
struct RmqEntry {
  Value value = 0;
  Value index = 0;
};

/// The earlier one where both are the same.
template <class Value>
WS_HD inline RmqEntry<Value> smaller(const RmqEntry<Value>& earlier, const RmqEntry<Value>& later) {
  return later.value < earlier.value ? later : earlier;
}

/// Entries of a level, not filled up: level 0 for the values.
WS_HD inline std::uint64_t rmq_level_size(std::uint64_t size, unsigned level) {
  return (size >> 3 * level) + ((size & ((std::uint64_t{1} << 3 * level) - 1)) != 0 ? 1 : 0);
}

/// Rows of the table.
WS_HD inline unsigned rmq_table_rows(std::uint64_t width) {
  return 64 - leading_zeros(width);
}

/// Eight neighbours of one level.
template <class Value>
struct RmqNode {
  Value values[8];

  /// The smallest of values[first, end); the largest number if there is none.
  WS_HD Value minimum(unsigned first, unsigned end) const {
    Value smallest = std::numeric_limits<Value>::max();
    for (unsigned i = 0; i < 8; ++i) {
      if (i >= first && i < end && values[i] < smallest) smallest = values[i];
    }
    return smallest;
  }

  WS_HD Value at(unsigned place) const {
    Value value = values[0];
    for (unsigned i = 1; i < 8; ++i) {
      if (i == place) value = values[i];
    }
    return value;
  }

  /// The first place from `first` on that holds `value`, which one of them does.
  WS_HD unsigned find(Value value, unsigned first) const {
    unsigned place = 7;
    for (unsigned i = 8; i-- > 0;) {
      if (i >= first && values[i] == value) place = i;
    }
    return place;
  }
};

/// An array with the minima over it; owns nothing, goes to kernels by value.
///
/// levels[0] are the values, levels[l][i] is the smallest of levels[l - 1][8 i, 8 i + 8). Every level but the values is
/// filled up to whole nodes of eight with the largest number. table: row k, entry i: the smallest entry of
/// [i, i + 2^k) on level rmq_top, as far as it goes. On a device levels begin at multiples of 16 bytes.
template <class Value_>
struct RmqView {
  using Value = Value_;
  static constexpr Value largest = std::numeric_limits<Value>::max();

  const Value* levels[rmq_top] = {};
  const RmqEntry<Value>* table = nullptr;
  std::uint64_t size = 0;         // values
  std::uint64_t table_width = 0;  // entries a row

  /// Entries [8 number, 8 number + 8) of a level.
  WS_HD RmqNode<Value> node(unsigned level, std::uint64_t number) const {
    RmqNode<Value> node;
    const std::uint64_t first = 8 * number;
    const Value* from = levels[level] + first;
    if (level == 0 && first + 8 > size) {
      for (unsigned i = 0; i < 8; ++i) node.values[i] = first + i < size ? from[i] : largest;
      return node;
    }
#ifdef __CUDA_ARCH__
    const uint4* source = reinterpret_cast<const uint4*>(from);
    uint4* target = reinterpret_cast<uint4*>(node.values);
#pragma unroll
    for (unsigned i = 0; i < 8 * sizeof(Value) / sizeof(uint4); ++i) target[i] = source[i];
#else
    for (unsigned i = 0; i < 8; ++i) node.values[i] = from[i];
#endif
    return node;
  }

  WS_HD RmqEntry<Value> entry(std::uint64_t index) const {
    return table[index];
  }

  /// The smallest entry of [first, last] on level rmq_top.
  WS_HD RmqEntry<Value> entry(std::uint64_t first, std::uint64_t last) const {
    const unsigned row = rmq_table_rows(last - first + 1) - 1;
    const RmqEntry<Value>* entries = table + row * table_width;
    return smaller(entries[first], entries[last + 1 - (std::uint64_t{1} << row)]);
  }
};

/// Where the ways up from a range's two ends meet: on the lowest level on which both are in one node, or at the table.
struct RmqMeeting {
  unsigned level = 0;
  std::uint64_t left = 0, right = 0;  // the ends' ancestors on that level; different, or on level 0

  WS_HD RmqMeeting(std::uint64_t begin, std::uint64_t end) : left(begin), right(end - 1) {
    while (level < rmq_top && left >> 3 != right >> 3) left >>= 3, right >>= 3, ++level;
  }
};

/// The smallest of the values [begin, end); begin < end <= size. Rmq: an RmqView, or what counts its accesses.
///
/// From the top down: what lies between the ends' ancestors counts whole; below an ancestor only its own node is read,
/// and none if its minimum, which that of the level above tells, is no smaller than what is known.
/// Cost: at most two nodes a level; with random ends hardly ever more than the first.
template <class Rmq>
WS_HD inline typename Rmq::Value range_minimum(const Rmq& rmq, std::uint64_t begin, std::uint64_t end) {
  using Value = typename Rmq::Value;
  const RmqMeeting meeting(begin, end);
  const std::uint64_t last = end - 1;
  Value smallest = Rmq::largest, below_left, below_right;
  if (meeting.level < rmq_top) {
    const auto node = rmq.node(meeting.level, meeting.left >> 3);
    const unsigned left = meeting.left & 7, right = meeting.right & 7;
    if (meeting.level == 0) return node.minimum(left, right + 1);
    smallest = node.minimum(left + 1, right);
    below_left = node.at(left), below_right = node.at(right);
  } else {
    below_left = rmq.entry(meeting.left).value, below_right = rmq.entry(meeting.right).value;
    if (meeting.left + 1 < meeting.right) smallest = rmq.entry(meeting.left + 1, meeting.right - 1).value;
  }
  for (unsigned level = meeting.level; level-- > 0 && below_left < smallest;) {
    const std::uint64_t at = begin >> 3 * level;
    const auto node = rmq.node(level, at >> 3);
    const unsigned place = at & 7;
    const Value found = node.minimum(level == 0 ? place : place + 1, 8);
    if (found < smallest) smallest = found;
    below_left = node.at(place);
  }
  for (unsigned level = meeting.level; level-- > 0 && below_right < smallest;) {
    const std::uint64_t at = last >> 3 * level;
    const auto node = rmq.node(level, at >> 3);
    const unsigned place = at & 7;
    const Value found = node.minimum(0, level == 0 ? place + 1 : place);
    if (found < smallest) smallest = found;
    below_right = node.at(place);
  }
  return smallest;
}

/// A minimum on its way to its position: `index` on `level`.
template <class Value>
struct RmqPlace {
  Value value;
  unsigned level;
  std::uint64_t index;
};

/// Down from a minimum to the first value under it that is equal.
template <class Rmq>
WS_HD inline std::uint64_t first_below(const Rmq& rmq, RmqPlace<typename Rmq::Value> place) {
  while (place.level > 0) {
    --place.level;
    place.index = 8 * place.index + rmq.node(place.level, place.index).find(place.value, 0);
  }
  return place.index;
}

/// The first position in [begin, end) that holds the smallest of these values; begin < end <= size.
///
/// As range_minimum(), but what ties goes to the left: on the left end's way down everything lies before what was seen,
/// on the right end's behind it.
template <class Rmq>
WS_HD inline std::uint64_t leftmost_minimum(const Rmq& rmq, std::uint64_t begin, std::uint64_t end) {
  using Value = typename Rmq::Value;
  const RmqMeeting meeting(begin, end);
  const std::uint64_t last = end - 1;
  RmqPlace<Value> best = {Rmq::largest, 0, begin};
  Value below_left, below_right;
  if (meeting.level < rmq_top) {
    const auto node = rmq.node(meeting.level, meeting.left >> 3);
    const unsigned left = meeting.left & 7, right = meeting.right & 7;
    const std::uint64_t first = meeting.left - left;
    if (meeting.level == 0) return first + node.find(node.minimum(left, right + 1), left);
    if (left + 1 < right) {
      const Value found = node.minimum(left + 1, right);
      best = {found, meeting.level, first + node.find(found, left + 1)};
    }
    below_left = node.at(left), below_right = node.at(right);
  } else {
    below_left = rmq.entry(meeting.left).value, below_right = rmq.entry(meeting.right).value;
    if (meeting.left + 1 < meeting.right) {
      const auto entry = rmq.entry(meeting.left + 1, meeting.right - 1);
      best = {entry.value, rmq_top, entry.index};
    }
  }
  for (unsigned level = meeting.level; level-- > 0 && below_left <= best.value;) {
    const std::uint64_t at = begin >> 3 * level;
    const auto node = rmq.node(level, at >> 3);
    const unsigned place = at & 7, first = level == 0 ? place : place + 1;
    const Value found = node.minimum(first, 8);
    if (first < 8 && found <= best.value) best = {found, level, at - place + node.find(found, first)};
    below_left = node.at(place);
  }
  for (unsigned level = meeting.level; level-- > 0 && below_right < best.value;) {
    const std::uint64_t at = last >> 3 * level;
    const auto node = rmq.node(level, at >> 3);
    const unsigned place = at & 7, past = level == 0 ? place + 1 : place;
    const Value found = node.minimum(0, past);
    if (found < best.value) best = {found, level, at - place + node.find(found, 0)};
    below_right = node.at(place);
  }
  return first_below(rmq, best);
}

/// What a level holds at `index`: the smallest of a node of the level below, given by its entries' count.
template <class Value>
WS_HD inline Value rmq_level_entry(const RmqView<Value>& rmq, unsigned level, std::uint64_t index) {
  if (index >= rmq_level_size(rmq.size, level)) return RmqView<Value>::largest;
  return rmq.node(level - 1, index).minimum(0, 8);
}

/// What the table holds: `above` is the row before, of steps half as long; null for row 0.
template <class Value>
WS_HD inline RmqEntry<Value> rmq_table_entry(const RmqView<Value>& rmq, const RmqEntry<Value>* above, unsigned row,
                                             std::uint64_t index) {
  if (row == 0) return {rmq_level_entry(rmq, rmq_top, index), static_cast<Value>(index)};
  const std::uint64_t half = std::uint64_t{1} << (row - 1);
  return index + half < rmq.table_width ? smaller(above[index], above[index + half]) : above[index];
}

}  // namespace warpseed
