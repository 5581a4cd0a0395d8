#include "records/shard_ranges.hpp"

#include <algorithm>
#include <utility>

namespace warpseed::records {

std::shared_ptr<ShardBlock> BlockPool::take() {
  std::unique_ptr<ShardBlock> block;
  if (!free_.try_pop(block)) block = std::make_unique<ShardBlock>();
  const auto give_back = [pool = shared_from_this()](ShardBlock* used) {
    pool->free_.push(std::unique_ptr<ShardBlock>(used));
  };
  return {block.release(), give_back};
}

ShardRanges::ShardRanges(const std::vector<std::unique_ptr<ShardReader>>& readers, std::int64_t around,
                         const MergeSizes& sizes)
    : around_(around), sizes_(sizes), pool_(std::make_shared<BlockPool>()), streams_(readers.size()) {
  constexpr std::size_t blocks_ahead = 4;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    streams_[i].source = std::make_unique<Prefetcher<ShardBlock>>(
        [this, reader = readers[i].get()](ShardBlock& block) { return reader->next(block, sizes_.block_bytes); },
        blocks_ahead);
  }
  for (Stream& stream : streams_) advance(stream);
}

void ShardRanges::advance(Stream& stream) {
  std::shared_ptr<ShardBlock> block = pool_->take();
  stream.ahead = stream.source->next(*block) ? std::move(block) : nullptr;
}

/// Of the block-th of a run's blocks in memory, or of the one ahead.
MergeKey ShardRanges::first_key(std::uint32_t run, std::size_t block) const {
  const Stream& stream = streams_[run];
  const bool is_ahead = block == stream.blocks.size();
  const auto first_number = stream.next_number - static_cast<std::uint32_t>(stream.blocks.size());
  return {(is_ahead ? *stream.ahead : *stream.blocks[block]).first_key, run,
          first_number + static_cast<std::uint32_t>(block)};
}

/// The least of the blocks that are ahead; none at the end of all shards.
std::optional<MergeKey> ShardRanges::key_ahead() const {
  std::optional<MergeKey> least;
  for (std::uint32_t run = 0; run < streams_.size(); ++run) {
    if (!streams_[run].ahead) continue;
    const MergeKey key = first_key(run, streams_[run].blocks.size());
    if (!least || key < *least) least = key;
  }
  return least;
}

/// Takes the block that begins first of those ahead. It begins a range if the one before is large enough.
void ShardRanges::take_block() {
  const MergeKey key = *key_ahead();
  Stream& stream = streams_[key.run];
  if (filled_ >= sizes_.range_bytes && are_apart(begin_.key, key.key, around_)) {
    pending_.push_back({begin_, key});
    begin_ = key, filled_ = 0;
  }
  filled_ += stream.ahead->bytes;
  stream.blocks.push_back(std::move(stream.ahead));
  ++stream.next_number;
  advance(stream);
}

std::optional<ShardRange> ShardRanges::next() {
  std::optional<MergeKey> ahead = key_ahead();
  while (ahead && (pending_.empty() || *ahead < widened(pending_.front(), around_).end)) {
    take_block();
    ahead = key_ahead();
  }
  if (!ahead && filled_ > 0) {
    pending_.push_back({begin_, past_all});
    filled_ = 0;
  }
  if (pending_.empty()) return {};
  const RunRange range = pending_.front();
  pending_.pop_front();
  ShardRange cut_off = cut(range);
  drop_before(widened({range.end, past_all}, around_).begin);
  return cut_off;
}

ShardRange ShardRanges::cut(const RunRange& range) const {
  ShardRange result = {range, widened(range, around_), BlocksByRun(streams_.size()), {}};
  for (std::uint32_t run = 0; run < streams_.size(); ++run) {
    const auto& blocks = streams_[run].blocks;
    std::size_t i = 0;
    while (i + 1 < blocks.size() && first_key(run, i + 1) < result.wide.begin)
      ++i;  // its last records may be in the range
    for (; i < blocks.size() && first_key(run, i) < result.wide.end; ++i) {
      result.blocks[run].push_back({blocks[i].get(), first_key(run, i).block});
      result.held.push_back(blocks[i]);
    }
  }
  return result;
}

/// Forgets the blocks without records from `begin` on.
void ShardRanges::drop_before(const MergeKey& begin) {
  for (std::uint32_t run = 0; run < streams_.size(); ++run) {
    auto& blocks = streams_[run].blocks;
    while (blocks.size() > 1 && first_key(run, 1) < begin) blocks.pop_front();
  }
}

}  // namespace warpseed::records
