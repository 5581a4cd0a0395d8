// Memory for many BAM records; private to the module.
#pragma once

#include <cstdint>

struct bam1_t;  // htslib

namespace warpseed::records {

/// Records side by side in chunks, so that a record costs no allocation. A chunk goes when this has gone on to the next
/// one and its last record has been given back, whoever does that.
/// Threads: one taker at a time; records are given back by any thread.
class BamMemory {
 public:
  explicit BamMemory(std::uint64_t chunk_bytes = 1 << 16) : chunk_bytes_(chunk_bytes) {}
  BamMemory(BamMemory&& other) noexcept;
  BamMemory& operator=(BamMemory&&) = delete;
  ~BamMemory();

  /// A cleared record with room for `data_bytes` of data. htslib may move its data elsewhere to make it longer.
  bam1_t* take(std::uint64_t data_bytes);

  /// Leaves the record that was taken last the room that its data fill; the next one begins behind them.
  void trim(bam1_t* record);

  static void give_back(bam1_t* record) noexcept;

  struct Chunk;

 private:
  void leave_chunk() noexcept;

  std::uint64_t chunk_bytes_;
  Chunk* chunk_ = nullptr;
  std::uint64_t size_ = 0, used_ = 0;  // bytes of chunk_
};

}  // namespace warpseed::records
