// Large copies between pageable host memory and the device at bus speed.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory_pool.cuh"

namespace warpseed::cuda {

/// Copies `bytes` from the device to `host`, or from `host` to the device. Several host threads with a pinned buffer
/// each keep the bus busy: about 5 times the speed of a direct copy from pageable memory. Waits until the copy is done.
/// Work that writes `device_data` must be finished before.
/// pool: of the device; its pinned buffers are used. threads: maximum. Throws BackendError.
void download(void* host, const void* device_data, std::uint64_t bytes, MemoryPool& pool, int threads);
void upload(void* device_data, const void* host, std::uint64_t bytes, MemoryPool& pool, int threads);

struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::uint64_t bytes = 0;
};

/// Copies several arrays to the device: in less time than one after the other, where each keeps few threads busy.
void upload(std::span<const Copy> arrays, MemoryPool& pool, int threads);

}  // namespace warpseed::cuda
