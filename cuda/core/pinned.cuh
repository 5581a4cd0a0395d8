// Pinned host memory.
#pragma once

#include <cstdint>
#include <memory>

#include "core/growing_array.hpp"
#include "core/memory_reserve.hpp"

namespace warpseed::cuda {

/// Pinned (page-locked) host memory, in huge pages where the system has them, because these are locked faster. If
/// memory cannot be locked, it is used unpinned, and copies take longer.
class LockedMemory {
 public:
  /// Throws std::bad_alloc.
  explicit LockedMemory(std::uint64_t bytes);
  LockedMemory(const LockedMemory&) = delete;
  LockedMemory& operator=(const LockedMemory&) = delete;
  ~LockedMemory();  // changes the current device
  void* data() const { return data_; }

 private:
  void* const data_;
  int device_ = 0;  // that was current: for another one the driver might have to start
  bool is_locked_ = false;
};

/// The pinned memory of the process: locking takes ten times as long as copying, and calls of CUDA in other threads wait
/// meanwhile. It stays until the last MemoryPool and the last PinnedBuffer are gone.
using PinnedReserve = MemoryReserve<LockedMemory>;
std::shared_ptr<PinnedReserve> pinned_reserve();

/// Pinned memory of the process's reserve.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::uint64_t bytes) : reserve_(pinned_reserve()), data_(reserve_->take(bytes)) {}
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { reserve_->give_back(data_); }
  void* data() const { return data_; }

 private:
  const std::shared_ptr<PinnedReserve> reserve_;
  std::byte* const data_;
};

/// A reusable array in pinned memory.
template <class T>
using PinnedArray = GrowingArray<T, PinnedBuffer>;

}  // namespace warpseed::cuda
