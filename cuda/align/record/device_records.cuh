// The records of plain pairs, made on a device: see plain_record_core.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "align/align_options.hpp"
#include "align/pair/pair_core.hpp"
#include "align/pipeline/device_read_texts.cuh"
#include "align/record/device_paths.cuh"
#include "align/record/record_blocks.cuh"
#include "core/buffer.cuh"
#include "core/pinned.cuh"
#include "records/alignment_record.hpp"

namespace warpseed::align::cuda {

/// Ends the use of a block by whoever made it.
struct LeaveChunk {
  void operator()(records::RecordChunk* chunk) const { records::RecordChunk::leave(chunk, 1); }
};

/// The records of a part of a batch, as slots of a block that outlives this. Keeps the other staging memory.
class DeviceRecords {
 public:
  /// Makes the records of the plain pairs among reads 2i and 2i + 1, and queues the copies. The reads must have been packed
  /// from these texts. choices: [reads], on the device.
  void make(const TracingView& view, const TracedPaths& paths, const ReadTextsView& texts, const Choice* choices,
            double share, const Stream& stream);

  /// Is there a record of a read of the part? Valid after the stream has been waited for, like take().
  bool has(std::uint64_t read) const { return !begins_.empty() && begins_[read + 1] > begins_[read]; }

  /// Gives records[i] to `made` for those of reads [begin, begin + made.size()) of the part that have one; once for each.
  void take(std::uint64_t begin, std::span<records::BamRecord> made);

  /// Ends the part.
  void release();

 private:
  const std::shared_ptr<RecordBlocks> blocks_ = std::make_shared<RecordBlocks>();
  PinnedArray<std::uint64_t> staged_begins_;
  std::span<const std::uint64_t> begins_;  // [reads + 1] of slots, or empty: no records
  std::unique_ptr<records::RecordChunk, LeaveChunk> block_;
};

}  // namespace warpseed::align::cuda
