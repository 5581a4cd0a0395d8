// The current device of a thread, and the free memory of a device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace warpseed::cuda {

/// Makes `device` current in this thread, and lets its memory pool keep freed memory, so that the rounds of a job do
/// not request the same memory from the driver again. Throws BackendError.
void select(int device);

/// The number of multiprocessors of a device. A kernel whose warps take the next job needs as many warps as can run at
/// a time, and no more.
std::uint64_t multiprocessors(int device);

/// During its lifetime buffers on a device take at most `bytes` of its memory; 0: all that is free. All buffers must be
/// destroyed before it.
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

/// Returns freed memory of the pool to the driver.
void trim_memory_pool(int device);

/// The memory that buffers on the current device may still take: the driver's free memory plus the unused memory of the
/// pool, at most what a MemoryLimit leaves.
std::uint64_t free_device_bytes();

/// The message for a failed allocation on the current device: the cause, which is the device or a MemoryLimit, and the
/// remedy.
std::string out_of_memory_message(std::uint64_t wanted_bytes);

/// The memory quota of all buffers of one stream. Threads: one at a time.
class MemoryQuota {
 public:
  explicit MemoryQuota(std::uint64_t bytes) : bytes_(bytes) {}

  /// Returns false if `bytes` exceed the rest of the quota.
  bool take(std::uint64_t bytes) {
    if (bytes > bytes_ - taken_) return false;
    taken_ += bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

  /// The message for a refused request.
  std::string out_of_memory_message(std::uint64_t wanted_bytes) const {
    return "out of the " + std::to_string(bytes_) +
           " bytes of device memory that are for one batch: " + std::to_string(wanted_bytes) + " bytes wanted, " +
           std::to_string(bytes_ - taken_) +
           " of these free; allow more with --memory where it is given, or use --backend cpu";
  }

 private:
  const std::uint64_t bytes_;
  std::uint64_t taken_ = 0;
};

/// The memory that a job may still take within `budget_bytes` of device memory, which include the memory already in
/// use. 0: no budget.
std::uint64_t available_device_bytes(std::uint64_t budget_bytes);

/// Throws BackendError "JOB needs about 12.3 GiB of device memory, 8.0 GiB are free; use --backend cpu".
void require_device_memory(std::uint64_t needed_bytes, std::string_view job);

}  // namespace warpseed::cuda
