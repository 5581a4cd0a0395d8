// Copies of arrays between host and device, and whose an address is.
#include <cstdint>
#include <memory>

#include "core/device_array.cuh"
#include "core/entry.hpp"
#include "core/transfer.cuh"

namespace warpseed::cuda {

template <class T>
DeviceArray<T> copy_to_device(std::span<const T> host, const Backend& backend) {
  auto owned = std::make_shared<OwnedArray<T>>(backend);
  owned->buffer = Buffer<T>(host.size(), owned->stream);
  owned->stream.wait();  // upload() has streams of its own
  upload(owned->buffer.data(), host.data(), host.size_bytes(), owned->stream.pool(), backend.threads);
  return OwnedArray<T>::give(std::move(owned));
}

template <class T>
std::vector<T> copy_to_host(DeviceSpan<const T> array, const Backend& backend) {
  std::vector<T> host(array.size);
  const Stream stream(backend);
  download(host.data(), array.data, array.size * sizeof(T), stream.pool(), backend.threads);
  return host;
}

int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, address), "asking for the device of an address");
  const bool on_device = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  return on_device ? attributes.device : -1;
}

void wait_for_device(int device) {
  const int before = current_device();
  set_current_device(device);
  check(cudaDeviceSynchronize(), "waiting for the device");
  set_current_device(before);
}

template DeviceArray<std::uint8_t> copy_to_device(std::span<const std::uint8_t>, const Backend&);
template DeviceArray<std::uint32_t> copy_to_device(std::span<const std::uint32_t>, const Backend&);
template DeviceArray<std::uint64_t> copy_to_device(std::span<const std::uint64_t>, const Backend&);
template std::vector<std::uint8_t> copy_to_host(DeviceSpan<const std::uint8_t>, const Backend&);
template std::vector<std::uint32_t> copy_to_host(DeviceSpan<const std::uint32_t>, const Backend&);
template std::vector<std::uint64_t> copy_to_host(DeviceSpan<const std::uint64_t>, const Backend&);

}  // namespace warpseed::cuda
