#include "records/bam_memory.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

namespace warpseed::records {

/// Header of a chunk; slots follow.
struct BamMemory::Chunk {
  std::shared_ptr<ChunkPool> pool;      // null: longer than the pool's
  std::atomic<std::uint64_t> users{1};  // records, plus the BamMemory that still allocates from it

  static void leave(Chunk* chunk) noexcept {
    if (!chunk || chunk->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const std::shared_ptr<ChunkPool> pool = std::move(chunk->pool);
    chunk->~Chunk();
    if (pool) {
      pool->give(chunk);
    } else {
      ::operator delete(chunk);
    }
  }
};

namespace {

constexpr std::uint64_t alignment = 8;

/// A record in a chunk; its data follows.
struct Slot {
  BamMemory::Chunk* chunk;
  bam1_t record;
};
static_assert(sizeof(Slot) % alignment == 0 && sizeof(BamMemory::Chunk) % alignment == 0);

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

Slot* slot_of(bam1_t* record) {
  return reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(record) - offsetof(Slot, record));
}

}  // namespace

BamMemory::BamMemory(BamMemory&& other) noexcept
    : pool_(other.pool_),
      chunk_(std::exchange(other.chunk_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      used_(std::exchange(other.used_, 0)) {}

BamMemory::~BamMemory() {
  leave_chunk();
}

void BamMemory::leave_chunk() noexcept {
  Chunk::leave(std::exchange(chunk_, nullptr));
  size_ = used_ = 0;
}

bam1_t* BamMemory::take(std::uint64_t data_bytes) {
  const std::uint64_t wanted = sizeof(Slot) + aligned(data_bytes);
  if (used_ + wanted > size_) {
    leave_chunk();
    const bool from_pool = sizeof(Chunk) + wanted <= pool_->chunk_bytes();
    size_ = from_pool ? pool_->chunk_bytes() : sizeof(Chunk) + wanted;
    chunk_ = new (from_pool ? pool_->take() : ::operator new(size_)) Chunk;
    if (from_pool) chunk_->pool = pool_;
    used_ = sizeof(Chunk);
  }
  std::byte* memory = reinterpret_cast<std::byte*>(chunk_) + used_;
  Slot* slot = new (memory) Slot{chunk_, {}};
  chunk_->users.fetch_add(1, std::memory_order_relaxed);
  used_ += wanted;
  slot->record.data = reinterpret_cast<std::uint8_t*>(memory + sizeof(Slot));
  slot->record.m_data = static_cast<std::uint32_t>(aligned(data_bytes));
  bam_set_mempolicy(&slot->record, BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA);
  return &slot->record;
}

void BamMemory::trim(bam1_t* record) {
  const bool data_moved = (bam_get_mempolicy(record) & BAM_USER_OWNS_DATA) == 0;
  const std::uint64_t kept = data_moved ? 0 : aligned(static_cast<std::uint64_t>(record->l_data));
  const std::byte* data = reinterpret_cast<std::byte*>(slot_of(record)) + sizeof(Slot);
  used_ = static_cast<std::uint64_t>(data - reinterpret_cast<std::byte*>(chunk_)) + kept;
  if (!data_moved) record->m_data = static_cast<std::uint32_t>(kept);
}

void BamMemory::give_back(bam1_t* record) noexcept {
  if (!record) return;
  Chunk* chunk = slot_of(record)->chunk;
  bam_destroy1(record);  // frees data that htslib moved out of the chunk, nothing else
  Chunk::leave(chunk);
}

}  // namespace warpseed::records
