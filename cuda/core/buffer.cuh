// Device memory with an owner.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/check.cuh"
#include "core/stream.cuh"
#include "core/view.hpp"

namespace warpseed::cuda {

/// Owns `size` values in device memory, allocated and freed in the order of one stream. Throws OutOfDeviceMemory if
/// there is too little memory or the stream's quota is used up.
/// The stream must outlive the buffer: declare it first.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is copied byte by byte");

 public:
  Buffer() = default;
  Buffer(std::uint64_t size, const Stream& stream) : size_(size), stream_(&stream) {
    if (size_ == 0) return;
    const std::uint64_t bytes = size_ * sizeof(T);
    if (Arena* const arena = stream.arena()) {
      data_ = static_cast<T*>(arena->take(bytes));
      if (data_) return;
    }
    MemoryQuota* const quota = stream.quota();
    if (quota && !quota->take(bytes)) throw OutOfDeviceMemory(quota->out_of_memory_message(bytes));
    const cudaError_t status =
        cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_), bytes, stream.pool().handle(), stream.handle());
    if (status == cudaSuccess) return;
    if (quota) quota->give_back(bytes);
    if (status != cudaErrorMemoryAllocation)
      check(status, "allocating " + std::to_string(bytes) + " bytes of device memory");
    cudaGetLastError();
    throw OutOfDeviceMemory(stream.pool().out_of_memory_message(bytes));
  }
  Buffer(std::span<const T> host, const Stream& stream) : Buffer(host.size(), stream) { upload(host); }

  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), stream_(other.stream_) {}
  Buffer& operator=(Buffer other) noexcept {  // by value: copy is deleted, self-move is safe
    std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(stream_, other.stream_);
    return *this;
  }
  ~Buffer() {
    if (!data_) return;
    Arena* const arena = stream_->arena();
    if (arena && arena->owns(data_)) {
      arena->give_back(data_);
      return;
    }
    cudaFreeAsync(data_, stream_->handle());
    if (stream_->quota()) stream_->quota()->give_back(size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  View<T> view() const { return {data_, size_}; }

  void fill_zero() {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream_->handle()), "clearing device memory");
  }

  /// Only queues the copy: `host` must stay unchanged until the stream has been waited for.
  void upload(std::span<const T> host) { copy(data_, host.data(), host.size(), cudaMemcpyHostToDevice); }
  void download(std::span<T> host) const { copy(host.data(), data_, host.size(), cudaMemcpyDeviceToHost); }

  /// Copies the first host.size() values, to any host memory, and waits for them.
  void read(std::span<T> host) const {
    stream_->wait_before_pageable_copy();
    download(host);
    check(cudaStreamSynchronize(stream_->handle()), "waiting for values");
  }

  /// Copies one value and waits for it.
  T value_at(std::uint64_t i) const {
    T value{};
    stream_->wait_before_pageable_copy();
    check(cudaMemcpyAsync(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost, stream_->handle()), "reading a value");
    check(cudaStreamSynchronize(stream_->handle()), "waiting for a value");
    return value;
  }

 private:
  void copy(T* to, const T* from, std::uint64_t count, cudaMemcpyKind kind) const {
    if (count > size_) throw std::invalid_argument("Buffer: more values than it holds");
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_->handle()), "copying to or from the device");
  }

  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  const Stream* stream_ = nullptr;
};

}  // namespace warpseed::cuda
