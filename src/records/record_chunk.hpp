// Memory that many records share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace warpseed::records {

/// Where chunks come from. Threads: any.
class ChunkOwner {
 public:
  virtual ~ChunkOwner() = default;
  virtual void give_back(void* chunk) noexcept = 0;
};

/// Begins memory that records share; their slots follow. It goes back to its owner with the last record.
struct RecordChunk {
  std::shared_ptr<ChunkOwner> owner;    // null: operator delete frees the chunk
  std::atomic<std::uint64_t> users{1};  // records, and whoever still makes some

  void enter(std::uint64_t count) noexcept { users.fetch_add(count, std::memory_order_relaxed); }
  static void leave(RecordChunk* chunk, std::uint64_t count) noexcept;
};

}  // namespace warpseed::records
