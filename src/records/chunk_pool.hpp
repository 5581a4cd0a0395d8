// Chunks of memory that many threads take and give back. Private to the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "records/record_chunk.hpp"

namespace warpseed::records {

/// Chunks of one size, each used again by whichever thread asks next. So it holds what all threads had at the same time,
/// where malloc would hold what each of them had at most: several times as much, as the work moves from one to another.
/// They are parts of slabs in huge pages, as their records are read in an order that is not that of memory.
/// Threads: any. Chunks must be given back before it is destroyed, which gives their memory back to the system.
class ChunkPool final : public ChunkOwner {
 public:
  explicit ChunkPool(std::uint64_t chunk_bytes = 1 << 16);
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  std::uint64_t chunk_bytes() const { return chunk_bytes_; }

  /// Uninitialised, aligned as operator new aligns. Throws std::bad_alloc.
  void* take();
  void give_back(void* chunk) noexcept override;

 private:
  struct Free {
    Free* next;
  };
  struct FreeSlab {
    void operator()(std::byte* slab) const { std::free(slab); }
  };
  using Slab = std::unique_ptr<std::byte, FreeSlab>;

  const std::uint64_t chunk_bytes_;
  std::mutex mutex_;  // guards the next members
  Free* first_ = nullptr;
  std::vector<Slab> slabs_;
  std::uint64_t left_ = 0;  // bytes of the last slab, at its end
};

}  // namespace warpseed::records
