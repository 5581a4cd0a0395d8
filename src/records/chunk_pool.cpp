#include "records/chunk_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace warpseed::records {

ChunkPool::~ChunkPool() {
  while (first_ != nullptr) ::operator delete(std::exchange(first_, first_->next));
}

void* ChunkPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (first_ != nullptr) return std::exchange(first_, first_->next);
  }
  return ::operator new(std::max<std::uint64_t>(chunk_bytes_, sizeof(Free)));
}

void ChunkPool::give(void* chunk) noexcept {
  const std::lock_guard lock(mutex_);
  first_ = new (chunk) Free{first_};
}

}  // namespace warpseed::records
