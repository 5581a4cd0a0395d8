// The device memory of buffers: pools of our own, one per device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "core/backend.hpp"
#include "core/pinned.cuh"

namespace warpseed::cuda {

/// A pool of memory on one device. The device's default pool, which other code of the process may use, stays as it is.
/// Streams and buffers that use the pool must be destroyed before it.
/// Threads: any number.
class MemoryPool {
 public:
  /// limit_bytes: maximum memory of all its buffers together; 0: all that is free. Makes the device current in this
  /// thread. Throws BackendError.
  explicit MemoryPool(int device, std::uint64_t limit_bytes = 0);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  ~MemoryPool();

  int device() const { return device_; }
  cudaMemPool_t handle() const { return handle_; }

  /// The memory that buffers may still take: the driver's free memory plus the unused memory of the pool, at most what
  /// the limit leaves.
  std::uint64_t free_bytes() const;

  /// The memory that a job may still take within `budget_bytes`, which include the memory already in use. 0: no budget.
  std::uint64_t available_bytes(std::uint64_t budget_bytes) const;

  /// The memory of all buffers, now and at most so far.
  std::uint64_t used_bytes() const;
  std::uint64_t peak_bytes() const;

  /// Returns freed memory to the driver.
  void trim();

  /// Throws BackendError "JOB needs about 12.3 GiB of device memory, 8.0 GiB are free; use --backend cpu".
  void require(std::uint64_t needed_bytes, std::string_view job) const;

  /// The message for a failed allocation: the cause, which is the device or the limit, and the remedy.
  std::string out_of_memory_message(std::uint64_t wanted_bytes) const;

 private:
  const int device_;
  const std::uint64_t limit_bytes_;  // 0: none
  const cudaMemPool_t handle_;
  const std::shared_ptr<PinnedReserve> pinned_ = pinned_reserve();  // stays from job to job
};

/// The pools of a backend and its copies: one per device, each created at its first use.
/// Threads: any number.
class DevicePools {
 public:
  /// limit_bytes: of each pool; 0: none.
  explicit DevicePools(std::uint64_t limit_bytes = 0) : limit_bytes_(limit_bytes) {}

  std::uint64_t limit_bytes() const { return limit_bytes_; }

  /// The pool stays valid as long as this object. Creating it makes the device current in this thread.
  MemoryPool& of(int device);

  /// The peak memory of all buffers on a device; 0 if it has no pool yet.
  std::uint64_t peak_bytes(int device) const;

  /// Returns freed memory of all pools to the driver.
  void trim();

 private:
  const std::uint64_t limit_bytes_;
  mutable std::mutex mutex_;  // guards the map, not the pools
  std::map<int, MemoryPool> pools_;
};

/// The backend's pools. Throws std::invalid_argument if it has none, as one that was not made by choose_backend().
DevicePools& pools_of(const Backend& backend);

}  // namespace warpseed::cuda
