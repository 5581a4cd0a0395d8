// Pinned host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>

#include "core/growing_array.hpp"
#include "core/huge_pages.hpp"

namespace warpseed::cuda {

/// Pinned (page-locked) host memory, in huge pages where the system has them, because these are locked faster. If
/// memory cannot be locked, it is used unpinned, and copies take longer.
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

/// A reusable array in pinned memory: locking memory takes far longer than copying it.
template <class T>
using PinnedArray = GrowingArray<T, PinnedBuffer>;

}  // namespace warpseed::cuda
