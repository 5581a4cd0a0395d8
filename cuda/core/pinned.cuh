// Page-locked host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

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

}  // namespace warpseed::cuda
