// Pinned host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/growing_array.hpp"
#include "core/huge_pages.hpp"

namespace warpseed::cuda {

/// Pinned (page-locked) host memory, in huge pages where the system has them, because these are locked faster. If
/// memory cannot be locked, it is used unpinned, and copies take longer.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::uint64_t bytes) : data_(allocate_huge_pages(bytes)) {
    touch(bytes);
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
  /// Locking has the system clear the pages otherwise, while calls of CUDA in other threads wait.
  void touch(std::uint64_t bytes) {
    constexpr std::uint64_t page_bytes = 4 << 10;
    for (std::uint64_t i = 0; i < bytes; i += page_bytes) static_cast<volatile char*>(data_)[i] = 0;
  }

  void* data_;
  bool locked_ = false;
};

/// Pinned buffers of one size that are reused: creating one takes as long as ten copies. Threads: any number.
class PinnedBufferPool {
 public:
  static constexpr std::uint64_t buffer_bytes = 4 << 20;  // large enough for full bus speed, small enough for a cache

  std::unique_ptr<PinnedBuffer> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::make_unique<PinnedBuffer>(buffer_bytes);
    std::unique_ptr<PinnedBuffer> buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
  }
  void give(std::unique_ptr<PinnedBuffer> buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<PinnedBuffer>> spare_;
};

/// A reusable array in pinned memory: locking memory takes far longer than copying it.
template <class T>
using PinnedArray = GrowingArray<T, PinnedBuffer>;

}  // namespace warpseed::cuda
