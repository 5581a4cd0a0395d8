// CUB's device-wide algorithms, with allocation of their temporary storage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <string_view>

#include "core/buffer.cuh"

namespace warpseed::cuda {

/// Calls call(nullptr, bytes) to query the size of the temporary storage, then call(storage, bytes).
template <class Call>
void with_temporary_storage(std::string_view doing, const Stream& stream, Call call) {
  std::size_t bytes = 0;
  check(call(static_cast<void*>(nullptr), bytes), doing);
  Buffer<std::byte> storage(std::max<std::size_t>(bytes, 1), stream);  // a null pointer would only query again
  check(call(static_cast<void*>(storage.data()), bytes), doing);
}

/// Keys with values, and spare buffers of the same size for sorting: 16 bytes and two values per pair.
template <class Value>
struct SortablePairs {
  Buffer<std::uint64_t> keys, spare_keys;
  Buffer<Value> values, spare_values;

  SortablePairs(std::uint64_t count, const Stream& stream)
      : keys(count, stream), spare_keys(count, stream), values(count, stream), spare_values(count, stream) {}

  /// Stable sort of the first `count` pairs by bits [begin_bit, end_bit) of their keys. All values past `count` in
  /// `keys` and `values` are lost.
  void sort(std::uint64_t count, unsigned begin_bit, unsigned end_bit, const Stream& stream) {
    cub::DoubleBuffer<std::uint64_t> key_buffers(keys.data(), spare_keys.data());
    cub::DoubleBuffer<Value> value_buffers(values.data(), spare_values.data());
    if (count == 0 || begin_bit == end_bit) return;
    with_temporary_storage("sorting pairs", stream, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, key_buffers, value_buffers, count,
                                             static_cast<int>(begin_bit), static_cast<int>(end_bit), stream.handle());
    });
    if (key_buffers.selector == 1) std::swap(keys, spare_keys);
    if (value_buffers.selector == 1) std::swap(values, spare_values);
  }

  /// Frees the spare buffers. Call it after the last sort.
  void drop_spare() { spare_keys = {}, spare_values = {}; }
};

/// Exclusive prefix sum in place.
template <class T>
void exclusive_sum(Buffer<T>& values, const Stream& stream) {
  with_temporary_storage("summing", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, values.data(), values.data(), values.size(), stream.handle());
  });
}

struct Larger {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

/// Exclusive prefix maximum in place, 0 for the first value. At most 2^31 - 1 values.
inline void exclusive_max(Buffer<std::uint32_t>& values, const Stream& stream) {
  with_temporary_storage("taking maxima", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(storage, bytes, values.data(), values.data(), Larger{}, std::uint32_t{0},
                                          static_cast<int>(values.size()), stream.handle());
  });
}

}  // namespace warpseed::cuda
