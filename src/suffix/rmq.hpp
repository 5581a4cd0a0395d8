// Minima of ranges of an array that does not change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "suffix/rmq_core.hpp"

namespace warpseed {

/// Answers for any range of an array: its minimum, and where that stands first.
///
/// Value:   std::uint32_t for arrays of at most narrow_limit entries, or std::uint64_t.
/// Cost:    built in O(n) on `threads` threads; O(1) a query: at most two sectors of 8 values at each of five levels
///          and two table entries. Levels below are left out where their minimum cannot count.
/// Memory:  0.145 values for each of the array's, which is not copied and must outlive this.
/// Threads: queries may run side by side.
template <class Value>
class RangeMinimum {
 public:
  RangeMinimum() = default;
  RangeMinimum(std::span<const Value> values, int threads);

  /// The smallest of values[begin, end); begin < end <= size.
  Value minimum(Value begin, Value end) const { return range_minimum(view(), begin, end); }

  /// The first position in [begin, end) that holds the smallest value.
  Value leftmost(Value begin, Value end) const { return static_cast<Value>(leftmost_minimum(view(), begin, end)); }

  /// Many queries, whose memory accesses overlap. ranges: [count], none empty; results: [count].
  /// Throws std::invalid_argument if the sizes differ or a range is empty or goes beyond the array.
  void minima(std::span<const IndexRange<Value>> ranges, std::span<Value> results, int threads) const;
  void leftmosts(std::span<const IndexRange<Value>> ranges, std::span<Value> results, int threads) const;

  RmqView<Value> view() const;
  std::uint64_t size() const { return values_.size(); }
  std::uint64_t extra_bytes() const;

 private:
  std::span<const Value> values_;
  std::vector<Value> levels_[rmq_levels];  // levels 1 to rmq_levels of the view
  std::vector<RmqEntry<Value>> table_;
};

/// Asks the CPU for the nodes that a query reads first where its ends are far apart. Those of the levels above are few
/// enough for a cache, those below are seldom read.
template <class Value>
void prefetch_minimum(const RmqView<Value>& rmq, const IndexRange<Value>& range) {
  for (unsigned level = 1; level < 3; ++level) {
    const unsigned shift = 3 * level;
    __builtin_prefetch(rmq.levels[level] + (std::uint64_t{range.begin} >> shift));
    __builtin_prefetch(rmq.levels[level] + ((std::uint64_t{range.end} - 1) >> shift));
  }
}

extern template class RangeMinimum<std::uint32_t>;
extern template class RangeMinimum<std::uint64_t>;

/// Minima of many ranges of 32-bit values on any backend: built, asked once and dropped. results: [ranges.size()].
/// Throws as minima() does, BackendError if the device's memory does not suffice.
std::vector<std::uint32_t> range_minima(std::span<const std::uint32_t> values,
                                        std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend);
std::vector<std::uint32_t> leftmost_minima(std::span<const std::uint32_t> values,
                                           std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend);

}  // namespace warpseed
