// Cuts the records of sorted shards into ranges of the genome while they are read. Private to the module.
#pragma once

#include <tbb/concurrent_queue.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/prefetcher.hpp"
#include "records/record_merge.hpp"
#include "records/shard_reader.hpp"

namespace warpseed::records {

/// Of packed records.
struct MergeSizes {
  std::size_t range_bytes = 32 << 20, block_bytes = 1 << 20;
};

/// A range, and the blocks of all shards that have records in it or near it.
struct ShardRange {
  RunRange range, wide;
  BlocksByRun blocks;
  std::vector<std::shared_ptr<const RecordBlock>> held;  // the same
};

/// Blocks whose memory can be reused. Threads: any.
class BlockPool : public std::enable_shared_from_this<BlockPool> {
 public:
  /// A block, which returns to the pool when its last owner lets it go. It keeps the pool.
  std::shared_ptr<ShardBlock> take();

 private:
  tbb::concurrent_queue<std::unique_ptr<ShardBlock>> free_;
};

/// Each shard is read by threads of its own, a few blocks ahead. The memory is that of the ranges that are in use, each
/// about MergeSizes::range_bytes, and more only where records of one position or with long clipped ends are more.
/// Threads: one caller at a time.
class ShardRanges {
 public:
  /// around: bases before and after a range whose records it needs. The readers must outlive this.
  ShardRanges(const std::vector<std::unique_ptr<ShardReader>>& readers, std::int64_t around,
              const MergeSizes& sizes = {});

  /// The next range in order; none after the last. Throws as ShardReader::next().
  std::optional<ShardRange> next();

 private:
  struct Stream {
    std::unique_ptr<Prefetcher<ShardBlock>> source;
    std::shared_ptr<ShardBlock> ahead;                     // the next one; null at the end
    std::uint32_t next_number = 0;                         // of the one ahead
    std::deque<std::shared_ptr<const ShardBlock>> blocks;  // those before it that are still needed
  };

  void advance(Stream& stream);
  MergeKey first_key(std::uint32_t run, std::size_t block) const;
  std::optional<MergeKey> key_ahead() const;
  void take_block();
  ShardRange cut(const RunRange& range) const;
  void drop_before(const MergeKey& begin);

  const std::int64_t around_;
  const MergeSizes sizes_;
  std::shared_ptr<BlockPool> pool_;
  std::vector<Stream> streams_;
  std::deque<RunRange> pending_;  // whose borders are known
  MergeKey begin_;                // of the range that grows
  std::uint64_t filled_ = 0;      // bytes of the blocks that begin in it
};

}  // namespace warpseed::records
