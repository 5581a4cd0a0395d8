// Page-locked host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>
#include <span>

#include "core/check.cuh"

namespace warpseed::cuda {

/// Host memory that the device copies to and from without the driver's help.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::uint64_t bytes) { check(cudaMallocHost(&data_, bytes), "locking host memory"); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

/// Page-locked room for values, kept from use to use: to lock memory takes far longer than to copy it.
template <class T>
class PinnedArray {
 public:
  /// Makes room for `count` values; what is in it is lost when it has to grow.
  std::span<T> room(std::uint64_t count) {
    if (count > capacity_) {
      capacity_ = count + count / 4;
      buffer_.emplace(capacity_ * sizeof(T));
    }
    return {buffer_ ? static_cast<T*>(buffer_->data()) : nullptr, count};
  }

 private:
  std::uint64_t capacity_ = 0;
  std::optional<PinnedBuffer> buffer_;
};

}  // namespace warpseed::cuda
