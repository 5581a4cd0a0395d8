// Page-locked host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "core/huge_pages.hpp"

namespace warpseed::cuda {

/// Host memory that the device copies to and from without the driver's help. In huge pages where the system has them, which
/// are locked sooner. Where memory cannot be locked it serves as it is, and copies take longer.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::uint64_t bytes) : data_(allocate_huge_pages(bytes)) {
    locked_ = cudaHostRegister(data_, bytes, cudaHostRegisterDefault) == cudaSuccess;
    if (!locked_) cudaGetLastError();
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() {
    if (locked_) cudaHostUnregister(data_);
    std::free(data_);
  }
  void* data() const { return data_; }

 private:
  void* data_;
  bool locked_ = false;
};

/// Page-locked room for values, kept from use to use: to lock memory takes far longer than to copy it.
template <class T>
class PinnedArray {
 public:
  /// Makes room for `count` values; what is in it is lost when it has to grow. share: the part, up to 1, that these may be
  /// of what is to come; it grows for all of that at once.
  std::span<T> room(std::uint64_t count, double share = 1) {
    if (count > capacity_) {
      capacity_ = static_cast<std::uint64_t>(1.25 * static_cast<double>(count) / share) + 1;
      buffer_.reset();
      buffer_.emplace(capacity_ * sizeof(T));
    }
    return {buffer_ ? static_cast<T*>(buffer_->data()) : nullptr, count};
  }

 private:
  std::uint64_t capacity_ = 0;
  std::optional<PinnedBuffer> buffer_;
};

}  // namespace warpseed::cuda
