// Owners of the CUDA runtime's things: a stream, device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/check.cuh"
#include "core/device.cuh"
#include "core/view.hpp"

namespace warpseed::cuda {

/// A queue of device work on one device. Constructing it makes that device current in this thread.
class Stream {
 public:
  explicit Stream(int device) : device_(device) {
    select(device);
    check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "creating a stream");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(handle_); }

  cudaStream_t handle() const { return handle_; }
  int device() const { return device_; }

  /// Returns when all work queued so far is done; throws BackendError if any of it failed.
  void wait(std::source_location where = std::source_location::current()) const {
    check(cudaStreamSynchronize(handle_), "waiting for the device", where);
  }

 private:
  int device_;
  cudaStream_t handle_ = nullptr;
};

/// Owns `size` values of device memory, taken and given back in the order of one stream.
/// The stream must outlive the buffer: declare it first.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is copied byte by byte");

 public:
  Buffer() = default;
  Buffer(std::uint64_t size, const Stream& stream) : size_(size), stream_(stream.handle()) {
    if (size_ == 0) return;
    const std::uint64_t bytes = size_ * sizeof(T);
    const cudaError_t status = cudaMallocAsync(reinterpret_cast<void**>(&data_), bytes, stream_);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw OutOfDeviceMemory("out of device memory: " + std::to_string(bytes) + " bytes wanted, " +
                              std::to_string(free_device_bytes()) + " free; use --backend cpu");
    }
    check(status, "allocating " + std::to_string(bytes) + " bytes of device memory");
  }
  Buffer(std::span<const T> host, const Stream& stream) : Buffer(host.size(), stream) { upload(host); }

  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), stream_(other.stream_) {}
  Buffer& operator=(Buffer other) noexcept {  // by value: copy is deleted, self-move is safe
    std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(stream_, other.stream_);
    return *this;
  }
  ~Buffer() {
    if (data_) cudaFreeAsync(data_, stream_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  View<T> view() const { return {data_, size_}; }

  void fill_zero() {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream_), "clearing device memory");
  }

  /// Queued, not finished: `host` must stay as it is until the stream has been waited for.
  void upload(std::span<const T> host) { copy(data_, host.data(), host.size(), cudaMemcpyHostToDevice); }
  void download(std::span<T> host) const { copy(host.data(), data_, host.size(), cudaMemcpyDeviceToHost); }

  /// One value, waited for.
  T value_at(std::uint64_t i) const {
    T value{};
    check(cudaMemcpyAsync(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost, stream_), "reading a value");
    check(cudaStreamSynchronize(stream_), "waiting for a value");
    return value;
  }

 private:
  void copy(T* to, const T* from, std::uint64_t count, cudaMemcpyKind kind) const {
    if (count > size_) throw std::invalid_argument("Buffer: more values than it holds");
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_), "copying to or from the device");
  }

  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpseed::cuda
