// Range minimum queries (RMQ) on a constant array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "suffix/rmq_core.hpp"

namespace warpseed::suffix {

/// Minimum of any range of an array, and its first position.
///
/// Value:   std::uint32_t for arrays of at most narrow_limit entries, or std::uint64_t.
/// Cost:    built in O(n) on `threads` threads; O(1) per query: at most two nodes of 8 values at each of five levels
///          and four table entries. Nodes that cannot improve the minimum are not read.
/// Memory:  0.144 values per value of the array, which is not copied and must outlive this.
/// Threads: queries may run concurrently.
template <class Value>
class RangeMinimum {
 public:
  RangeMinimum() = default;
  RangeMinimum(std::span<const Value> values, int threads);

  /// The smallest of values[begin, end); begin < end <= size.
  Value minimum(Value begin, Value end) const { return range_minimum(view(), begin, end); }

  /// The first position in [begin, end) that holds the smallest value.
  Value leftmost(Value begin, Value end) const { return leftmost_minimum(view(), begin, end); }

  /// Many queries with overlapping memory accesses. ranges: [count], none empty; results: [count].
  /// Throws std::invalid_argument if the sizes differ, or a range is empty or ends past the array.
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

/// Many queries by one thread with overlapping memory accesses. ranges: [count], not checked; results: [count].
template <class Value>
void range_minima(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results);
template <class Value>
void leftmost_minima(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results);

extern template class RangeMinimum<std::uint32_t>;
extern template class RangeMinimum<std::uint64_t>;

extern template void range_minima(const RmqView<std::uint32_t>&, std::span<const IndexRange<std::uint32_t>>,
                                  std::span<std::uint32_t>);
extern template void range_minima(const RmqView<std::uint64_t>&, std::span<const IndexRange<std::uint64_t>>,
                                  std::span<std::uint64_t>);
extern template void leftmost_minima(const RmqView<std::uint32_t>&, std::span<const IndexRange<std::uint32_t>>,
                                     std::span<std::uint32_t>);
extern template void leftmost_minima(const RmqView<std::uint64_t>&, std::span<const IndexRange<std::uint64_t>>,
                                     std::span<std::uint64_t>);

/// Minima of many ranges of 32-bit values on any backend; the structure is built, queried once and dropped. results:
/// [ranges.size()]. Throws as minima() does, BackendError if the device's memory does not suffice.
std::vector<std::uint32_t> range_minima(std::span<const std::uint32_t> values,
                                        std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend);
std::vector<std::uint32_t> leftmost_minima(std::span<const std::uint32_t> values,
                                           std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend);

}  // namespace warpseed::suffix
