#include "core/stream.cuh"

#include <stdexcept>

#include "core/check.cuh"

namespace warpseed::cuda {

void Stream::reserve(std::uint64_t bytes) const {
  if (arena_ && arena_->free_bytes() + arena_->taken_bytes() >= bytes) return;
  release();
  void* begin = nullptr;
  check(cudaMallocFromPoolAsync(&begin, bytes, pool_.handle(), handle()),
        "reserving " + std::to_string(bytes) + " bytes of device memory");
  arena_.emplace(static_cast<std::byte*>(begin), bytes);
}

void Stream::release() const {
  if (!arena_) return;
  if (arena_->taken_bytes() > 0) throw std::logic_error("Stream: reserved memory is in use");
  check(cudaFreeAsync(arena_->begin(), handle()), "giving back device memory");
  arena_.reset();
}

}  // namespace warpseed::cuda
