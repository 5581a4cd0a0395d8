#include "core/pinned.cuh"

#include <cuda_runtime.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>

#include "core/huge_pages.hpp"

namespace warpseed::cuda {

namespace {

/// By all threads. Locking has the system clear the pages otherwise, while calls of CUDA in other threads wait.
void touch(std::span<std::byte> memory) {
  const std::size_t pages = (memory.size() + huge_page_bytes - 1) / huge_page_bytes;
  const auto touch_page = [&](std::size_t page) {
    const std::span<std::byte> rest = memory.subspan(page * huge_page_bytes);
    touch_pages(rest.first(std::min(rest.size(), huge_page_bytes)));
  };
  // A thread that takes memory must not begin with other work that takes memory: it would wait for itself.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, pages, touch_page); });
}

}  // namespace

LockedMemory::LockedMemory(std::uint64_t bytes) : data_(allocate_huge_pages(bytes)) {
  touch({static_cast<std::byte*>(data_), bytes});
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
