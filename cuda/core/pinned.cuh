// Page-locked host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>

#include "core/growing_array.hpp"
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
using PinnedArray = GrowingArray<T, PinnedBuffer>;

}  // namespace warpseed::cuda
