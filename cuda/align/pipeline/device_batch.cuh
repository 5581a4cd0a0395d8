// One batch of reads on a device, from seeds to chosen alignments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/alignment.hpp"
#include "align/long_reads/device_long_reads.cuh"
#include "align/pair/device_pairs.cuh"
#include "align/pair/pair_core.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/alignment_device_data.cuh"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/device_read_texts.cuh"
#include "align/pipeline/device_reads.cuh"
#include "align/pipeline/read_aligner.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "align/record/device_paths.cuh"
#include "align/record/device_records.cuh"
#include "align/seed/device_seeder.cuh"
#include "core/buffer.cuh"
#include "core/pinned.cuh"

namespace warpseed::align::cuda {

/// Limits of a batch on a device.
struct BatchLimits {
  std::uint64_t reads = 0;           // of a full batch
  std::uint64_t memory_bytes = 0;    // for buffers whose size depends on the number of hits
  std::uint64_t quota_bytes = 0;     // for the whole batch; 0: no quota
  std::uint64_t reserved_bytes = 0;  // which a batch keeps while it is idle, see Stream::reserve(); 0: none
  std::uint64_t narrow_rows = 0;     // see AlignerLimits
};

/// Processes one batch after the other, with its own stream and memory. If the hits are too many for the memory, the
/// reads are processed in parts. If memory still runs out, throws OutOfDeviceMemory, and the batch must be abandoned
/// with abandon().
/// Threads: one caller at a time.
class DeviceBatch {
 public:
  /// `index` and `pool` must outlive it. alone: aligns the reads that are too long for the device.
  DeviceBatch(const AlignmentDeviceData& index, ReadAligner alone, MemoryPool& pool, const BatchLimits& limits);

  /// See BatchAligner and AlignmentJob. The batch stays until the next one, or until release(). request: null, or that of a
  /// later fetch_records(); the reads are those of request->reads from `first_read` on.
  void align(std::span<ReadAlignments> aligned, std::uint64_t first_number, const RecordRequest* request,
             std::uint64_t first_read);
  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices);
  void choose_singles(std::span<Choice> choices);  // of all reads, which are unpaired
  void fetch(std::uint64_t first, std::uint64_t end, FetchScope which);

  /// Fetches what records report of all reads, whose choices were made last: records of plain pairs in place of their
  /// alignments. made: [reads]. Needs align() with a request.
  void fetch_records(std::span<records::BamRecord> made);
  void release();

  /// Releases the memory for seeds, which is kept from batch to batch and not needed once a batch is aligned.
  void release_seeds();

  /// Releases the batch and all device memory, including that kept from batch to batch.
  void abandon();

  /// The sum over all batches so far.
  const StageTimes& times() const { return times_; }

 private:
  void copy_reads(const RecordRequest* request, std::uint64_t first_read);
  void find_alignments();
  void grow_part(const DeviceReadsView& reads, const HitPart& part);
  struct Fetched;

  Fetched queue_fetch(std::uint64_t first, std::uint64_t end, FetchScope which);
  TracingView tracing_view(std::uint64_t first, std::uint64_t end, const Fetched& fetched) const;
  void give(std::uint64_t first, const Fetched& fetched, std::uint64_t read);
  void take(Buffer<Choice> chosen, std::span<Choice> choices);
  double share_of(std::uint64_t reads) const;
  void align_on_host();  // those that have length 0 on the device

  const AlignmentDeviceData& index_;
  const std::uint64_t full_reads_, memory_bytes_;
  Stream stream_;  // declared before the members that use it
  DeviceSeeder seeder_;
  DeviceLongReads long_reads_;
  ReadAligner cpu_aligner_;
  std::span<ReadAlignments> aligned_;  // the current batch, like the members below
  std::uint64_t first_number_ = 0;
  ReadStaging staging_;
  DeviceReadTexts texts_;
  std::optional<DeviceReads> reads_;
  Buffer<ReadTraits> traits_;
  Buffer<Alignment*> lists_;        // [reads] where the alignments of each are
  Buffer<std::uint32_t> counts_;    // [reads] how many
  PinnedArray<Alignment> fetched_;  // staging for aligned_; kept from batch to batch, like those below
  PinnedArray<std::uint64_t> fetched_begins_;
  PinnedArray<ReadTraits> fetched_traits_;
  DevicePaths fetched_paths_;
  PinnedArray<Choice> staged_choices_;
  Buffer<Choice> chosen_;  // the last ones
  DeviceRecords records_;
  std::vector<Buffer<Alignment>> held_;  // the memory that lists_ points into
  StageTimes times_;
};

}  // namespace warpseed::align::cuda
