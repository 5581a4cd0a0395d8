// Chunks of memory that many threads take and give back. Private to the module.
#pragma once

#include <cstdint>
#include <mutex>

namespace warpseed::records {

/// Chunks of one size, each used again by whichever thread asks next. So it holds what all threads had at the same time,
/// where malloc would hold what each of them had at most: several times as much, as the work moves from one to another.
/// Threads: any. Chunks must be given back before it is destroyed, which frees them.
class ChunkPool {
 public:
  explicit ChunkPool(std::uint64_t chunk_bytes = 1 << 16) : chunk_bytes_(chunk_bytes) {}
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;
  ~ChunkPool();

  std::uint64_t chunk_bytes() const { return chunk_bytes_; }

  /// Uninitialised, aligned as operator new aligns. Throws std::bad_alloc.
  void* take();
  void give(void* chunk) noexcept;

 private:
  struct Free {
    Free* next;
  };

  const std::uint64_t chunk_bytes_;
  std::mutex mutex_;  // guards the next member
  Free* first_ = nullptr;
};

}  // namespace warpseed::records
