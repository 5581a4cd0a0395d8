// The records of plain pairs, made on a device: see plain_record_core.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "align/align_options.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/device_reads.cuh"
#include "align/record/device_paths.cuh"
#include "align/record/record_blocks.cuh"
#include "core/buffer.cuh"
#include "core/pinned.cuh"
#include "core/view.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align::cuda {

/// What a record takes from its read besides the bases, as kernels see it; owns nothing.
struct ReadTextView {
  const char* text = nullptr;        // of each read its name, then its qualities
  View<std::uint64_t> begins;        // [reads + 1] where that of each begins
  View<std::uint8_t> name_bytes;     // [reads]
  View<std::uint8_t> kinds;          // [reads] see ReadKind
  View<std::uint32_t> groups;        // [reads]
  const char* group_text = nullptr;  // IDs of the read groups, one after the other
  View<std::uint32_t> group_begins;  // [groups + 1]
};

/// Bits.
namespace read_kind {
constexpr std::uint8_t simple = 1;   // can have a plain record
constexpr std::uint8_t qc_fail = 2;  // flag 0x200
}  // namespace read_kind

/// Ends the use of a block by whoever made it.
struct LeaveChunk {
  void operator()(records::RecordChunk* chunk) const { records::RecordChunk::leave(chunk, 1); }
};

/// The texts of a batch of reads on a device. Keeps the staging memory from batch to batch.
class DeviceReadTexts {
 public:
  /// Queues the copies of the reads [first, first + count) of request.reads. The staging memory
  /// stays unchanged until the stream has been waited for.
  void upload(const RecordRequest& request, std::uint64_t first, std::uint64_t count, double share,
              const Stream& stream);
  void release() { text_ = {}, begins_ = {}, name_bytes_ = {}, kinds_ = {}, groups_ = {}; }

  ReadTextView view() const {
    return {text_.data(),   begins_.view(),     name_bytes_.view(),  kinds_.view(),
            groups_.view(), group_text_.data(), group_begins_.view()};
  }

 private:
  PinnedArray<char> staged_text_;
  PinnedArray<std::uint64_t> staged_begins_;
  PinnedArray<std::uint8_t> staged_name_bytes_, staged_kinds_;
  PinnedArray<std::uint32_t> staged_groups_;
  Buffer<char> text_, group_text_;
  Buffer<std::uint64_t> begins_;
  Buffer<std::uint8_t> name_bytes_, kinds_;
  Buffer<std::uint32_t> groups_, group_begins_;
};

/// The records of a part of a batch, as slots of a block that outlives this. Keeps the other staging memory.
class DeviceRecords {
 public:
  /// Makes the records of the plain pairs among reads 2i and 2i + 1, and queues the copies.
  /// choices: [reads], on the device.
  void make(const TracingView& view, const TracedPaths& paths, const ReadTextView& texts, const Choice* choices,
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
