#include "core/stream.cuh"

#include <stdexcept>

#include "core/check.cuh"

namespace warpseed::cuda {

void Stream::reserve(std::uint64_t bytes) const {
  check(take_arena(bytes), "reserving " + std::to_string(bytes) + " bytes of device memory");
}

bool Stream::try_reserve(std::uint64_t bytes) const {
  const cudaError_t status = take_arena(bytes);
  if (status != cudaErrorMemoryAllocation)
    check(status, "reserving " + std::to_string(bytes) + " bytes of device memory");
  else
    cudaGetLastError();
  return status == cudaSuccess;
}

cudaError_t Stream::take_arena(std::uint64_t bytes) const {
  if (arena_ && arena_->free_bytes() + arena_->taken_bytes() >= bytes) return cudaSuccess;
  release();
  void* begin = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&begin, bytes, pool_.handle(), handle());
  if (status == cudaSuccess) arena_.emplace(static_cast<std::byte*>(begin), bytes);
  return status;
}

void Stream::release() const {
  if (!arena_) return;
  if (arena_->taken_bytes() > 0) throw std::logic_error("Stream: reserved memory is in use");
  check(cudaFreeAsync(arena_->begin(), handle()), "giving back device memory");
  arena_.reset();
}

}  // namespace warpseed::cuda
