#include "core/pinned.cuh"

#include <cuda_runtime.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstdlib>

#include "core/huge_pages.hpp"

namespace warpseed::cuda {

namespace {

/// By all threads. Locking has the system clear the pages otherwise, while calls of CUDA in other threads wait.
void touch(char* memory, std::uint64_t bytes) {
  constexpr std::uint64_t page_bytes = 4 << 10;
  const tbb::blocked_range<std::uint64_t> all(0, bytes, huge_page_bytes);
  // A thread that takes memory must not begin with other work that takes memory: it would wait for itself.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(all, [&](const auto& part) {
      for (std::uint64_t i = part.begin(); i < part.end(); i += page_bytes) static_cast<volatile char*>(memory)[i] = 0;
    });
  });
}

}  // namespace

LockedMemory::LockedMemory(std::uint64_t bytes) : data_(allocate_huge_pages(bytes)) {
  touch(static_cast<char*>(data_), bytes);
  is_locked_ =
      cudaGetDevice(&device_) == cudaSuccess && cudaHostRegister(data_, bytes, cudaHostRegisterDefault) == cudaSuccess;
  if (!is_locked_) cudaGetLastError();
}

LockedMemory::~LockedMemory() {
  if (is_locked_ && cudaSetDevice(device_) == cudaSuccess) cudaHostUnregister(data_);
  std::free(data_);
}

std::shared_ptr<PinnedReserve> pinned_reserve() {
  static std::mutex mutex;
  static std::weak_ptr<PinnedReserve> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<PinnedReserve> reserve = known.lock();
  if (!reserve) known = reserve = std::make_shared<PinnedReserve>();
  return reserve;
}

}  // namespace warpseed::cuda
