// Range minima: nodes of eight values, each a memory sector, and a sparse table on top.
#pragma once

#include <cstdint>
#include <limits>

#include "core/bits.hpp"
#include "core/host_device.hpp"

namespace warpseed::suffix {

constexpr unsigned rmq_levels = 4;  // levels of minima above the values; an entry covers eight of the level below
constexpr unsigned rmq_top = rmq_levels + 1;  // the level that the table is built on

/// Half-open range of positions in an array.
template <class Index>
struct IndexRange {
  Index begin = 0;
  Index end = 0;

  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// A minimum and its first position on its level.
template <class Value>
struct RmqEntry {
  Value value = 0;
  Value index = 0;
};

/// The smaller entry; the earlier one of two equal entries.
template <class Value>
WS_HD inline RmqEntry<Value> smaller(const RmqEntry<Value>& earlier, const RmqEntry<Value>& later) {
  return later.value < earlier.value ? later : earlier;
}

/// Entries of a level without padding: level 0 for the values.
WS_HD inline std::uint64_t rmq_level_size(std::uint64_t size, unsigned level) {
  return (size >> 3 * level) + ((size & ((std::uint64_t{1} << 3 * level) - 1)) != 0 ? 1 : 0);
}

/// Rows of the table.
WS_HD inline unsigned rmq_table_rows(std::uint64_t width) {
  return 64 - leading_zeros(width);
}

/// Eight neighbours of one level. The code is branch-free: a misprediction costs more than a step.
template <class Value>
class RmqNode {
 public:
  Value values[8];

  /// The smallest of values[first, end), first <= end; the largest number if there is none.
  WS_HD Value minimum(unsigned first, unsigned end) const {
    Value smallest = std::numeric_limits<Value>::max();
    for (unsigned i = 0; i < 8; ++i) {
      const Value value = values[i] | all_bits(i - first >= end - first);
      smallest = value < smallest ? value : smallest;
    }
    return smallest;
  }

  WS_HD Value at(unsigned index) const {
    Value value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= values[i] & all_bits(i == index);
    return value;
  }

  /// The first index from `first` on that holds `value`; one of them does.
  WS_HD unsigned find(Value value, unsigned first) const {
    unsigned equal = 0;
    for (unsigned i = 0; i < 8; ++i) equal |= unsigned{values[i] == value} << i;
    return trailing_zeros(equal >> first << first);
  }

 private:
  WS_HD static Value all_bits(bool set) { return static_cast<Value>(Value{0} - Value{set}); }
};

/// An array with its minima; owns nothing, passed to kernels by value.
///
/// levels[0] are the values, levels[l][i] is the smallest of levels[l - 1][8 i, 8 i + 8). Every level except the values
/// is padded to whole nodes of eight with the largest number. table: entry i of row k is the smallest entry of
/// [i, i + 2^k) on level rmq_top, clipped to its end. On a device levels begin at multiples of 16 bytes.
template <class Value_>
struct RmqView {
  using Value = Value_;
  static constexpr Value largest = std::numeric_limits<Value>::max();

  const Value* levels[rmq_top] = {};
  const RmqEntry<Value>* table = nullptr;
  std::uint64_t size = 0;         // values
  std::uint64_t table_width = 0;  // entries per row

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

/// A query in progress: each step reads one node of eight, so that many queries can be interleaved.
///
/// The paths up from the range's two ends meet on the lowest level on which both are in one node, or at the table. From
/// there the walk descends. Entries between the ends' ancestors count fully; below an ancestor only its own node is
/// read, first on the left path, then on the right, and only while the level above shows that the minimum below is
/// smaller than the best so far. If the position of the minimum is wanted, ties go to the left: nodes on the left path
/// come before what was read, nodes on the right path after it. Finally the walk descends from the minimum's node to
/// its position.
/// Cost: at most two nodes per level; with random ends hardly ever more than the first.
///
/// Rmq: an RmqView, or a wrapper that counts its accesses. with_position: the first position of the minimum is wanted,
/// too.
template <class Rmq, bool with_position>
class RmqWalk {
 public:
  using Value = typename Rmq::Value;

  RmqWalk() = default;

  /// Starts a query for the values [begin, end); begin < end <= size.
  WS_HD RmqWalk(Value begin, Value end) : begin_(begin), last_(end - 1), position_(begin), stage_(Stage::meet) {
    Value left = begin_, right = last_;
    while (level_ < rmq_top && left >> 3 != right >> 3) left >>= 3, right >>= 3, ++level_;
    meeting_ = level_;
    number_ = left >> 3;
  }

  WS_HD bool done() const { return stage_ == Stage::done; }

  /// The level that the next step reads: its node, or the table if it is rmq_top.
  WS_HD unsigned level() const { return level_; }
  WS_HD std::uint64_t number() const { return number_; }

  WS_HD Value minimum() const { return smallest_; }
  WS_HD Value position() const { return position_; }

  WS_HD void step(const Rmq& rmq) {
    if (level_ == rmq_top) {
      meet_at_table(rmq);
      return turn_down();
    }
    const RmqNode<Value> node = rmq.node(level_, number_);
    if (stage_ == Stage::down) return descend(node);
    const unsigned left = begin_ >> 3 * level_ & 7, right = last_ >> 3 * level_ & 7, inner = level_ == 0 ? 0 : 1;
    const unsigned first = stage_ == Stage::right ? 0 : left + inner;
    const unsigned past = stage_ == Stage::left ? 8 : right + 1 - inner;
    const Value found = node.minimum(first, past);
    if (found < smallest_ || (with_position && stage_ != Stage::right && found == smallest_ && first < past)) {
      smallest_ = found;
      if (with_position) position_ = 8 * number_ + node.find(found, first), table_level_ = level_;
    }
    if (stage_ != Stage::right) below_left_ = node.at(left);
    if (stage_ != Stage::left) below_right_ = node.at(right);
    turn_down();
  }

 private:
  enum class Stage : std::uint8_t { meet, left, right, down, done };

  WS_HD void meet_at_table(const Rmq& rmq) {
    const std::uint64_t left = begin_ >> 3 * rmq_top, right = last_ >> 3 * rmq_top;
    below_left_ = rmq.entry(left).value, below_right_ = rmq.entry(right).value;
    if (left + 1 >= right) return;
    const auto entry = rmq.entry(left + 1, right - 1);
    smallest_ = entry.value;
    if (with_position) position_ = entry.index, table_level_ = rmq_top;
  }

  /// Moves to the next node that may improve the minimum.
  WS_HD void turn_down() {
    if (stage_ != Stage::right) {
      if (level_ > 0 && (below_left_ < smallest_ || (with_position && below_left_ == smallest_))) {
        return go_to(Stage::left, begin_);
      }
      level_ = meeting_;
    }
    if (level_ > 0 && below_right_ < smallest_) return go_to(Stage::right, last_);
    finish();
  }

  WS_HD void go_to(Stage stage, Value end) {
    stage_ = stage;
    --level_;
    number_ = end >> 3 * (level_ + 1);
  }

  WS_HD void finish() {
    stage_ = with_position && table_level_ > 0 ? Stage::down : Stage::done;
    level_ = table_level_ - 1, number_ = position_;
  }

  WS_HD void descend(const RmqNode<Value>& node) {
    position_ = 8 * number_ + node.find(smallest_, 0), table_level_ = level_;
    finish();
  }

  Value begin_ = 0, last_ = 0;
  Value smallest_ = Rmq::largest, below_left_ = 0, below_right_ = 0;
  Value number_ = 0, position_ = 0;  // of the node to read next; of the minimum on its level
  unsigned level_ = 0, meeting_ = 0, table_level_ = 0;
  Stage stage_ = Stage::done;
};

/// The smallest of the values [begin, end); begin < end <= size.
template <class Rmq>
WS_HD inline typename Rmq::Value range_minimum(const Rmq& rmq, typename Rmq::Value begin, typename Rmq::Value end) {
  RmqWalk<Rmq, false> walk(begin, end);
  while (!walk.done()) walk.step(rmq);
  return walk.minimum();
}

/// The first position in [begin, end) that holds the smallest of these values; begin < end <= size.
template <class Rmq>
WS_HD inline typename Rmq::Value leftmost_minimum(const Rmq& rmq, typename Rmq::Value begin, typename Rmq::Value end) {
  RmqWalk<Rmq, true> walk(begin, end);
  while (!walk.done()) walk.step(rmq);
  return walk.position();
}

/// The entry of a level at `index`: the minimum of a node of `count` entries of the level below.
template <class Value>
WS_HD inline Value rmq_level_entry(const RmqView<Value>& rmq, unsigned level, std::uint64_t index) {
  if (index >= rmq_level_size(rmq.size, level)) return RmqView<Value>::largest;
  return rmq.node(level - 1, index).minimum(0, 8);
}

/// The table entry: `above` is the previous row, with steps half as long; null for row 0.
template <class Value>
WS_HD inline RmqEntry<Value> rmq_table_entry(const RmqView<Value>& rmq, const RmqEntry<Value>* above, unsigned row,
                                             std::uint64_t index) {
  if (row == 0) return {rmq_level_entry(rmq, rmq_top, index), static_cast<Value>(index)};
  const std::uint64_t half = std::uint64_t{1} << (row - 1);
  return index + half < rmq.table_width ? smaller(above[index], above[index + half]) : above[index];
}

}  // namespace warpseed::suffix
