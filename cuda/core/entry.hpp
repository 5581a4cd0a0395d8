// The CUDA functions that src/core calls: which devices exist, their memory, what is kept there, and deflating on
// them.
// Built with CUDA, cuda/core/*.cu define them; built without, cuda/core/no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "warpseed/device_arrays.hpp"

namespace warpseed {
struct Backend;      // src/core/backend.hpp
class DeflateBatch;  // src/core/deflate_batch.hpp
class DeviceStore;   // src/core/device_store.hpp
}  // namespace warpseed

namespace warpseed::cuda {

class DevicePools;

/// Usable devices: 0 without a GPU, without a driver, or in a build without CUDA. Never throws.
int device_count() noexcept;

/// The reason why device_count() is 0, for the user, such as "this build has no CUDA support".
std::string why_unavailable();

/// One line about a device: name, compute capability, memory. The thread's current device does not change.
std::string describe_device(int device);

/// The device that CUDA calls of this thread work on. Most functions with a backend make its device current; a caller
/// that works with CUDA itself may restore its own. Without CUDA: 0 and nothing; without a device: throw BackendError.
int current_device();
void set_current_device(int device);

/// Memory for a new backend and its copies. Takes nothing yet. limit_bytes: of each device; 0: none. Null without CUDA.
std::shared_ptr<DevicePools> make_device_pools(std::uint64_t limit_bytes);

/// The peak memory of all buffers on a device.
std::uint64_t peak_device_bytes(const DevicePools& pools, int device);

/// Implements core/device_store.hpp.
std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes);

/// Implement warpseed/device_arrays.hpp. T: std::uint8_t, std::uint32_t or std::uint64_t.
template <class T>
DeviceArray<T> copy_to_device(std::span<const T> host, const Backend& backend);
template <class T>
std::vector<T> copy_to_host(DeviceSpan<const T> array, const Backend& backend);
int device_of(const void* address);
void wait_for_device(int device);

}  // namespace warpseed::cuda

namespace warpseed::deflate::cuda {

/// Implements core/deflate_batch.hpp.
std::unique_ptr<DeflateBatch> make_deflate_batch(const Backend& backend);

}  // namespace warpseed::deflate::cuda
