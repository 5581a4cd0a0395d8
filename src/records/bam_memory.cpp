#include "records/bam_memory.hpp"

#include <htslib/sam.h>

#include <cstddef>
#include <new>
#include <utility>

#include "core/prefetch.hpp"
#include "records/record_slot.hpp"

namespace warpseed::records {

namespace {

RecordSlot* slot_of(bam1_t* record) {
  return reinterpret_cast<RecordSlot*>(reinterpret_cast<std::byte*>(record) - offsetof(RecordSlot, record));
}

/// What freeing a record reads: two lines.
void prefetch_slot(const bam1_t* record) {
  prefetch(record), prefetch(&record->m_data);
}

}  // namespace

void RecordChunk::leave(RecordChunk* chunk, std::uint64_t count) noexcept {
  if (!chunk || chunk->users.fetch_sub(count, std::memory_order_acq_rel) != count) return;
  const std::shared_ptr<ChunkOwner> owner = std::move(chunk->owner);
  chunk->~RecordChunk();
  if (owner) {
    owner->give_back(chunk);
  } else {
    ::operator delete(chunk);
  }
}

BamMemory::BamMemory(BamMemory&& other) noexcept
    : pool_(other.pool_),
      chunk_(std::exchange(other.chunk_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      used_(std::exchange(other.used_, 0)) {}

BamMemory::~BamMemory() {
  leave_chunk();
}

void BamMemory::leave_chunk() noexcept {
  RecordChunk::leave(std::exchange(chunk_, nullptr), 1);
  size_ = used_ = 0;
}

bam1_t* BamMemory::take(std::uint64_t data_bytes) {
  const std::uint64_t room = RecordSlot::aligned(data_bytes), wanted = sizeof(RecordSlot) + room;
  if (used_ + wanted > size_) {
    leave_chunk();
    const bool from_pool = sizeof(RecordChunk) + wanted <= pool_->chunk_bytes();
    size_ = from_pool ? pool_->chunk_bytes() : sizeof(RecordChunk) + wanted;
    chunk_ = new (from_pool ? pool_->take() : ::operator new(size_)) RecordChunk;
    if (from_pool) chunk_->owner = pool_;
    used_ = sizeof(RecordChunk);
  }
  std::byte* memory = reinterpret_cast<std::byte*>(chunk_) + used_;
  RecordSlot* slot = new (memory) RecordSlot{};
  chunk_->enter(1);
  used_ += wanted;
  begin_slot(*slot, chunk_, reinterpret_cast<std::uint8_t*>(memory + sizeof(RecordSlot)), room);
  return &slot->record;
}

void BamMemory::trim(bam1_t* record) {
  const bool data_moved = (bam_get_mempolicy(record) & BAM_USER_OWNS_DATA) == 0;
  const std::uint64_t kept = data_moved ? 0 : RecordSlot::aligned(static_cast<std::uint64_t>(record->l_data));
  const std::byte* data = reinterpret_cast<std::byte*>(slot_of(record)) + sizeof(RecordSlot);
  used_ = static_cast<std::uint64_t>(data - reinterpret_cast<std::byte*>(chunk_)) + kept;
  if (!data_moved) record->m_data = static_cast<std::uint32_t>(kept);
}

void BamMemory::give_back(bam1_t* record) noexcept {
  if (!record) return;
  RecordChunk* chunk = slot_of(record)->chunk;
  bam_destroy1(record);  // frees data that htslib moved out of the chunk, nothing else
  RecordChunk::leave(chunk, 1);
}

void free_records(std::span<BamRecord> records) noexcept {
  RecordChunk* chunk = nullptr;  // of the records before
  std::uint64_t count = 0;
  constexpr std::size_t ahead = 12;  // they have left the caches
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i + ahead < records.size()) prefetch_slot(records[i + ahead].get());
    bam1_t* const record = records[i].release();
    if (!record) continue;
    RecordChunk* const of_record = slot_of(record)->chunk;
    if (of_record != chunk) RecordChunk::leave(std::exchange(chunk, of_record), std::exchange(count, 0));
    ++count;
    bam_destroy1(record);
  }
  RecordChunk::leave(chunk, count);
}

}  // namespace warpseed::records
