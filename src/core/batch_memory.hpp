// Memory for the many small arrays of one batch of work.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <vector>

namespace warpseed {

/// Takes pieces off chunks and gets all of them back at once: so a piece costs no call of malloc and of free, in which
/// threads would wait for one another. Each thread has a stretch of its own. A chunk is as large as all before it
/// together, so that a batch of one read takes little. Threads: any may allocate; clear() alone.
class BatchMemory final : public std::pmr::memory_resource {
 public:
  BatchMemory() = default;
  BatchMemory(const BatchMemory&) = delete;
  BatchMemory& operator=(const BatchMemory&) = delete;

  /// Forgets all pieces. Its chunks are used again, up to `most_kept_bytes` of them.
  void clear();

  static constexpr std::size_t most_chunk_bytes = std::size_t{2} << 20;  // more for a larger piece
  static constexpr std::size_t most_kept_bytes = 32 * most_chunk_bytes;

 private:
  struct FreeMemory {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  struct Chunk {
    explicit Chunk(std::size_t size);

    std::unique_ptr<std::byte, FreeMemory> memory;
    std::size_t bytes;
  };
  struct Stretch {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;

    /// Null if it has too few bytes.
    std::byte* take(std::size_t count);
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::byte* take_of_chunks(std::size_t bytes);
  std::size_t all_bytes() const;

  tbb::enumerable_thread_specific<Stretch> of_threads_;
  std::mutex mutex_;           // guards the next members
  std::vector<Chunk> chunks_;  // those in use first
  std::size_t in_use_ = 0;     // of chunks_
  Stretch left_;               // of the last chunk in use
};

}  // namespace warpseed
