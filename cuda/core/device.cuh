// Which device a thread talks to, and how much memory that device has left.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
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

/// What buffers on the current device may still take: what the driver has, and what the pool keeps unused; no more than a
/// MemoryLimit leaves.
std::uint64_t free_device_bytes();

/// Why so many bytes more are not to be had on the current device, and what to do: whether it is the device that has no
/// more, or a MemoryLimit.
std::string why_no_room(std::uint64_t wanted_bytes);

/// What the buffers of one stream may take together. Threads: one at a time.
class MemoryQuota {
 public:
  explicit MemoryQuota(std::uint64_t bytes) : bytes_(bytes) {}

  /// False if that is too much.
  bool take(std::uint64_t bytes) {
    if (bytes > bytes_ - taken_) return false;
    taken_ += bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

  /// Of a request that was refused.
  std::string why_no_room(std::uint64_t wanted_bytes) const {
    return "out of the " + std::to_string(bytes_) +
           " bytes of device memory that are for one batch: " + std::to_string(wanted_bytes) + " bytes wanted, " +
           std::to_string(bytes_ - taken_) +
           " of these free; allow more with --memory where it is given, or use --backend cpu";
  }

 private:
  const std::uint64_t bytes_;
  std::uint64_t taken_ = 0;
};

/// What a job may still take when it is to stay within `budget_bytes` of device memory, those in use already
/// included; a budget of 0 is all there is.
std::uint64_t available_device_bytes(std::uint64_t budget_bytes);

/// Throws BackendError "JOB needs about 12.3 GiB of device memory, 8.0 GiB are free; use --backend cpu".
void require_device_memory(std::uint64_t needed_bytes, std::string_view job);

}  // namespace warpseed::cuda
