// An arena for many BAM records; private to the module.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "records/chunk_pool.hpp"

struct bam1_t;  // htslib

namespace warpseed::records {

/// Allocates records consecutively in chunks, so that a record costs no allocation. A chunk is given back to its pool when
/// this has moved on to the next one and its last record has been returned, by any thread.
/// Threads: one allocating at a time; any may return records.
class BamMemory {
 public:
  /// Several of these share a pool, which lives as long as they and their records.
  explicit BamMemory(std::shared_ptr<ChunkPool> pool) : pool_(std::move(pool)) {}

  /// With a pool of its own.
  explicit BamMemory(std::uint64_t chunk_bytes = 1 << 16) : BamMemory(std::make_shared<ChunkPool>(chunk_bytes)) {}
  BamMemory(BamMemory&& other) noexcept;
  BamMemory& operator=(BamMemory&&) = delete;
  ~BamMemory();

  /// A cleared record with room for `data_bytes` of data. htslib may reallocate the data elsewhere to grow it.
  bam1_t* take(std::uint64_t data_bytes);

  /// Shrinks the last record taken to the size of its data; the next one begins after it.
  void trim(bam1_t* record);

  static void give_back(bam1_t* record) noexcept;

 private:
  void leave_chunk() noexcept;

  std::shared_ptr<ChunkPool> pool_;
  RecordChunk* chunk_ = nullptr;
  std::uint64_t size_ = 0, used_ = 0;  // bytes of chunk_
};

}  // namespace warpseed::records
