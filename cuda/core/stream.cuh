// Queues of device work, and where their buffers take memory from.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>

#include "core/arena.hpp"
#include "core/backend.hpp"
#include "core/check.cuh"
#include "core/device.cuh"
#include "core/entry.hpp"
#include "core/memory_pool.cuh"

namespace warpseed::cuda {

/// A queue of device work that takes no memory. Constructing it makes its device current in this thread.
class WorkQueue {
 public:
  explicit WorkQueue(int device) {
    set_current_device(device);
    check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "creating a stream");
  }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue() { cudaStreamDestroy(handle_); }

  cudaStream_t handle() const { return handle_; }

  /// Returns when all work queued so far is done; throws BackendError if any of it failed.
  void wait(std::source_location where = std::source_location::current()) const {
    check(cudaStreamSynchronize(handle_), "waiting for the device", where);
  }

 private:
  cudaStream_t handle_ = nullptr;
};

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

/// How a host thread waits for a stream.
enum class Waiting {
  spin,   // as the process has set it for the device; by default the thread keeps its CPU and goes on at once
  block,  // the thread sleeps, and its CPU is free for others
};

struct StreamOptions {
  std::uint64_t quota_bytes = 0;  // maximum total size of its buffers; 0: no quota
  Waiting waiting = Waiting::spin;
};

/// Waits for a stream in a thread that sleeps. Belongs to the device that is current when it is constructed.
/// Threads: one at a time.
class BlockingEvent {
 public:
  BlockingEvent() {
    check(cudaEventCreateWithFlags(&handle_, cudaEventBlockingSync | cudaEventDisableTiming), "creating an event");
  }
  BlockingEvent(const BlockingEvent&) = delete;
  BlockingEvent& operator=(const BlockingEvent&) = delete;
  ~BlockingEvent() { cudaEventDestroy(handle_); }

  /// Returns when all work queued so far on a stream of the same device is done.
  void wait_for(cudaStream_t stream, std::source_location where) const {
    check(cudaEventRecord(handle_, stream), "recording an event", where);
    check(cudaEventSynchronize(handle_), "waiting for the device", where);
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// A queue of device work whose buffers take their memory from one pool. Constructing it makes the pool's device
/// current in this thread.
class Stream {
 public:
  /// On backend.device, with the backend's memory, which stays as long as the stream. Throws std::invalid_argument for
  /// a backend without memory, see pools_of().
  explicit Stream(const Backend& backend, const StreamOptions& options = {})
      : Stream(pools_of(backend).of(backend.device), options) {
    pools_ = backend.pools;
  }

  /// The pool must outlive the stream.
  explicit Stream(MemoryPool& pool, const StreamOptions& options = {}) : pool_(pool), queue_(pool.device()) {
    if (options.quota_bytes > 0) quota_.emplace(options.quota_bytes);
    if (options.waiting == Waiting::block) event_.emplace();
  }
  /// Waits for what an error has left running: where a pool is destroyed before its memory is given back, a thread of
  /// the driver may crash (580.159).
  ~Stream() {
    if (arena_) cudaFreeAsync(arena_->begin(), handle());
    cudaStreamSynchronize(handle());
  }

  cudaStream_t handle() const { return queue_.handle(); }
  int device() const { return pool_.device(); }
  MemoryPool& pool() const { return pool_; }

  /// Null if there is none.
  MemoryQuota* quota() const { return quota_ ? &*quota_ : nullptr; }

  /// Takes `bytes` from the pool for the stream's next buffers, which then come and go without a call of the driver; those
  /// that do not fit come from the pool. The driver maps memory again where large buffers of changing sizes come and go,
  /// which takes as long as the work on them where several devices see the memory. Throws BackendError.
  void reserve(std::uint64_t bytes) const;

  /// As reserve(), but returns false if there is too little memory.
  bool try_reserve(std::uint64_t bytes) const;

  /// Gives back what reserve() took. Its buffers must be gone.
  void release() const;

  /// Null if nothing is reserved.
  Arena* arena() const { return arena_ ? &*arena_ : nullptr; }

  /// The memory that a job may still take within `budget_bytes`: see MemoryPool; with what is reserved and free.
  std::uint64_t available_bytes(std::uint64_t budget_bytes) const {
    return pool_.available_bytes(budget_bytes) + (arena_ ? arena_->free_bytes() : 0);
  }

  /// Returns when all work queued so far is done; throws BackendError if any of it failed.
  void wait(std::source_location where = std::source_location::current()) const {
    if (event_)
      event_->wait_for(handle(), where);
    else
      queue_.wait(where);
  }

  /// Must precede a copy from the device to host memory that is not pinned. CUDA itself waits for such a copy, and
  /// would spin until the work before it is done.
  void wait_before_pageable_copy() const {
    if (event_) wait();
  }

 private:
  cudaError_t take_arena(std::uint64_t bytes) const;

  std::shared_ptr<DevicePools> pools_;  // the owner of pool_, unless the caller is
  MemoryPool& pool_;
  WorkQueue queue_;
  mutable std::optional<MemoryQuota> quota_;
  mutable std::optional<Arena> arena_;
  std::optional<BlockingEvent> event_;  // for Waiting::block
};

}  // namespace warpseed::cuda
