// Page-locked memory in which the records that a device has made stay until they are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/pinned.cuh"
#include "records/record_slot.hpp"

namespace warpseed::align::cuda {

/// Blocks for the records of one batch each, which are used again: locking memory takes longer than copying it. A block
/// is a RecordChunk, whose slots begin at first_slot. Threads: any.
class RecordBlocks final : public records::ChunkOwner, public std::enable_shared_from_this<RecordBlocks> {
 public:
  static constexpr std::uint64_t first_slot = 128;  // copies to aligned memory are faster
  static_assert(sizeof(records::RecordChunk) <= first_slot);

  /// A block with room for so many bytes of slots. Its only user is the caller. Throws std::bad_alloc.
  records::RecordChunk* take(std::uint64_t slot_bytes) {
    void* memory = free_block(first_slot + slot_bytes);
    if (!memory) memory = new_block(first_slot + slot_bytes + slot_bytes / 8);  // other batches are longer
    auto* const chunk = new (memory) records::RecordChunk;
    chunk->owner = shared_from_this();
    return chunk;
  }

  void give_back(void* chunk) noexcept override {
    const std::lock_guard lock(mutex_);
    for (const auto& block : blocks_) block->is_taken = block->is_taken && block->memory.data() != chunk;
  }

 private:
  struct Block {
    warpseed::cuda::PinnedBuffer memory;
    std::uint64_t bytes;
    bool is_taken = true;

    explicit Block(std::uint64_t size) : memory(size), bytes(size) {}
  };

  /// Null if there is none so large. Then one that is too small is freed, so that they do not add up.
  void* free_block(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const auto& block) { return !block->is_taken && block->bytes >= bytes; };
    const auto found = std::ranges::find_if(blocks_, fits);
    if (found != blocks_.end()) {
      (*found)->is_taken = true;
      return (*found)->memory.data();
    }
    const auto small = std::ranges::find_if(blocks_, [](const auto& block) { return !block->is_taken; });
    if (small != blocks_.end()) blocks_.erase(small);
    return nullptr;
  }

  void* new_block(std::uint64_t bytes) {
    auto block = std::make_unique<Block>(bytes);
    void* const memory = block->memory.data();
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
    return memory;
  }

  std::mutex mutex_;  // guards the blocks
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace warpseed::align::cuda
