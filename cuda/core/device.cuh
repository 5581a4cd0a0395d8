// Which device a thread talks to, and how much memory that device has left.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>

namespace warpseed::cuda {

/// Makes `device` current in this thread, and lets its memory pool keep what is given back, so that the rounds
/// of one job do not go to the driver for the same memory again. Throws BackendError.
void select(int device);

/// Of a device. A kernel whose warps take what is next wants as many as can be at work at a time, and no more.
std::uint64_t multiprocessors(int device);

/// While it lives, buffers on a device take at most `bytes` of its memory; 0: all that is free. All of them go before it.
class MemoryLimit {
 public:
  MemoryLimit(int device, std::uint64_t bytes);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

 private:
  int device_;
  cudaMemPool_t pool_ = nullptr;
};

/// Gives the memory that buffers have left to the driver.
void give_back_spare_memory(int device);

/// What buffers on the current device may still take: what the driver has, and what the pool keeps unused.
std::uint64_t free_device_bytes();

/// What a job may still take when it is to stay within `budget_bytes` of device memory, those in use already
/// included; a budget of 0 is all there is.
std::uint64_t available_device_bytes(std::uint64_t budget_bytes);

/// Throws BackendError "JOB needs about 12.3 GiB of device memory, 8.0 GiB are free; use --backend cpu".
void require_device_memory(std::uint64_t needed_bytes, std::string_view job);

}  // namespace warpseed::cuda
