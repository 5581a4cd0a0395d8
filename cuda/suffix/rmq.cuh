// Range minimum queries on an array on the device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "suffix/rmq_core.hpp"

namespace warpseed::suffix::cuda {

/// The data of RangeMinimum (suffix/rmq.hpp), built on the device from values that stay there.
class DeviceRmq {
 public:
  DeviceRmq() = default;

  /// Queued on the stream, not waited for. values: must outlive this; at most narrow_limit.
  DeviceRmq(const Buffer<std::uint32_t>& values, const Stream& stream);

  /// For kernels: range_minimum(view, begin, end), leftmost_minimum(view, begin, end).
  RmqView<std::uint32_t> view() const;

  std::uint64_t extra_bytes() const;

 private:
  View<std::uint32_t> values_;
  Buffer<std::uint32_t> levels_[rmq_levels];
  Buffer<RmqEntry<std::uint32_t>> table_;
};

/// results[i]: the minimum of values[ranges[i].begin, ranges[i].end), or its first position; no range empty.
void range_minima(const DeviceRmq& rmq, View<IndexRange<std::uint32_t>> ranges, std::uint32_t* results,
                  const Stream& stream);
void leftmost_minima(const DeviceRmq& rmq, View<IndexRange<std::uint32_t>> ranges, std::uint32_t* results,
                     const Stream& stream);

}  // namespace warpseed::suffix::cuda
