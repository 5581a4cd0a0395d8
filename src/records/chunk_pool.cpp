#include "records/chunk_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/huge_pages.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t slab_bytes = 64 << 20;  // malloc maps so much by itself, and gives it back to the system

/// Rounded up, so that what follows is aligned for any object.
std::uint64_t aligned(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = alignof(std::max_align_t);
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

ChunkPool::ChunkPool(std::uint64_t chunk_bytes)
    : chunk_bytes_(aligned(std::max<std::uint64_t>(chunk_bytes, sizeof(Free)))) {}

void* ChunkPool::take() {
  const std::lock_guard lock(mutex_);
  if (first_ != nullptr) return std::exchange(first_, first_->next);
  const std::uint64_t slab = std::max(slab_bytes, chunk_bytes_);
  if (left_ < chunk_bytes_) {
    slabs_.push_back(Slab(static_cast<std::byte*>(allocate_huge_pages(slab))));
    left_ = slab;
  }
  return slabs_.back().get() + (slab - std::exchange(left_, left_ - chunk_bytes_));
}

void ChunkPool::give_back(void* chunk) noexcept {
  const std::lock_guard lock(mutex_);
  first_ = new (chunk) Free{first_};
}

}  // namespace warpseed::records
