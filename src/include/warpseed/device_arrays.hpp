// Sorts and suffix arrays of data that is in a GPU's memory, and stays there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "warpseed/context.hpp"

namespace warpseed {

/// Elements in the memory of a CUDA device; owns nothing. Work that others have queued on them must be done.
template <class T>
struct DeviceSpan {
  T* data = nullptr;  // on the device
  std::uint64_t size = 0;
};

/// Elements in the memory of a device, from the context's memory there; freed with the last copy of this.
template <class T>
struct DeviceArray {
  std::shared_ptr<T> data;  // on the device
  std::uint64_t size = 0;
  int device = 0;

  DeviceSpan<T> span() const { return {data.get(), size}; }
  DeviceSpan<const T> view() const { return {data.get(), size}; }
};

/// The functions of sort.hpp and suffix_array.hpp with the same results. Arrays must be on the context's (first)
/// device; what they return is complete. T of the first two: std::uint8_t, std::uint32_t or std::uint64_t.
/// Throw InputError for a context without a GPU or an array that is elsewhere, else what those functions throw.

/// A copy on the context's device.
template <class T>
DeviceArray<T> to_device(std::span<const T> host, const Context& context = Context());

/// A copy on the host.
template <class T>
std::vector<T> to_host(DeviceSpan<const T> array, const Context& context = Context());

/// offsets are on the device as well. Memory: a second copy of keys and values, else as in sort.hpp.
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<const std::uint64_t> offsets,
                    const Context& context = Context());
template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Context& context = Context());

/// Of a text of at most 2^32 - 2 bytes.
DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> text, const Context& context = Context());
DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> text, DeviceSpan<const std::uint32_t> suffixes,
                                     const Context& context = Context());

/// Which device an address belongs to; -1 for memory of the host. Throws BackendError without CUDA.
int device_of(const void* address);

/// Returns when all work that any stream has queued on a device is done.
void wait_for_device(int device);

extern template DeviceArray<std::uint8_t> to_device(std::span<const std::uint8_t>, const Context&);
extern template DeviceArray<std::uint32_t> to_device(std::span<const std::uint32_t>, const Context&);
extern template DeviceArray<std::uint64_t> to_device(std::span<const std::uint64_t>, const Context&);
extern template std::vector<std::uint8_t> to_host(DeviceSpan<const std::uint8_t>, const Context&);
extern template std::vector<std::uint32_t> to_host(DeviceSpan<const std::uint32_t>, const Context&);
extern template std::vector<std::uint64_t> to_host(DeviceSpan<const std::uint64_t>, const Context&);
extern template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>,
                                    DeviceSpan<const std::uint64_t>, const Context&);
extern template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>,
                                    DeviceSpan<const std::uint64_t>, const Context&);

}  // namespace warpseed
