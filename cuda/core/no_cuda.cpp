// cuda/core/entry.hpp in a build without CUDA: there is no device.
#include "core/deflate_batch.hpp"
#include "core/device_store.hpp"
#include "core/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cuda {

int device_count() noexcept {
  return 0;
}

std::string why_unavailable() {
  return "this build has no CUDA support (configure with -DWS_CUDA=ON)";
}

std::string describe_device(int) {
  throw BackendError(why_unavailable());
}

int current_device() {
  return 0;
}

void set_current_device(int) {}

std::shared_ptr<DevicePools> make_device_pools(std::uint64_t) {
  return nullptr;
}

std::uint64_t peak_device_bytes(const DevicePools&, int) {
  return 0;
}

std::unique_ptr<DeviceStore> make_device_store(const Backend&, std::uint64_t) {
  throw BackendError(why_unavailable());
}

template <class T>
DeviceArray<T> copy_to_device(std::span<const T>, const Backend&) {
  throw BackendError(why_unavailable());
}
template DeviceArray<std::uint8_t> copy_to_device(std::span<const std::uint8_t>, const Backend&);
template DeviceArray<std::uint32_t> copy_to_device(std::span<const std::uint32_t>, const Backend&);
template DeviceArray<std::uint64_t> copy_to_device(std::span<const std::uint64_t>, const Backend&);

template <class T>
std::vector<T> copy_to_host(DeviceSpan<const T>, const Backend&) {
  throw BackendError(why_unavailable());
}
template std::vector<std::uint8_t> copy_to_host(DeviceSpan<const std::uint8_t>, const Backend&);
template std::vector<std::uint32_t> copy_to_host(DeviceSpan<const std::uint32_t>, const Backend&);
template std::vector<std::uint64_t> copy_to_host(DeviceSpan<const std::uint64_t>, const Backend&);

int device_of(const void*) {
  throw BackendError(why_unavailable());
}

void wait_for_device(int) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::cuda

namespace warpseed::deflate::cuda {

std::unique_ptr<DeflateBatch> make_deflate_batch(const Backend&) {
  throw BackendError(warpseed::cuda::why_unavailable());
}

}  // namespace warpseed::deflate::cuda
