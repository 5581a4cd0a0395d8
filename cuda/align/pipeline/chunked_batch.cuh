// A batch of reads on a device, in as few chunks as its memory allows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "align/pipeline/device_batch.cuh"

namespace warpseed::align::cuda {

/// Processes one batch after the other, in chunks of as many reads as the limits say. If the memory does not suffice at
/// any stage, the chunk is abandoned, and chunks have half as many reads from then on. Each chunk goes through all
/// stages, from seeds to fetched alignments, and leaves the device before the next one. Throws OutOfDeviceMemory if two
/// reads are too many.
/// Threads: one caller at a time.
class ChunkedBatch {
 public:
  /// See DeviceBatch.
  ChunkedBatch(const AlignmentDeviceData& index, ReadAligner alone, MemoryPool& pool, const BatchLimits& limits)
      : batch_(index, std::move(alone), pool, limits), most_reads_(limits.reads) {}

  /// A batch whose choices can be made immediately. It is complete when this returns.
  void align_and_choose(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                        const SelectionRequest& selection);

  /// Any other batch, see BatchAligner and AlignmentJob. It stays until the next one, or until release().
  void align(std::span<ReadAlignments> aligned, std::uint64_t first_number);
  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices);
  void fetch(std::uint64_t first, std::uint64_t end, FetchScope which);
  void release();

  /// The sum over all batches so far.
  const StageTimes& times() const { return batch_.times(); }

  /// The maximum reads of a chunk since memory ran out; 0 if it never did.
  std::uint64_t shrunk_to() const { return has_shrunk_ ? most_reads_ : 0; }

 private:
  template <class Work>
  void in_chunks(std::uint64_t first, std::uint64_t end, Work work);
  void begin(std::span<ReadAlignments> aligned, std::uint64_t first_number, const RecordRequest* request);
  void bring(std::uint64_t first, std::uint64_t end);
  void fetch_chosen(std::uint64_t first, std::uint64_t end, FetchScope which);
  void drop();
  void shrink(std::uint64_t count);
  bool is_here(std::uint64_t first, std::uint64_t end) const { return first >= first_ && end <= end_; }

  DeviceBatch batch_;         // processes a chunk
  std::uint64_t most_reads_;  // of a chunk
  bool has_shrunk_ = false;
  std::span<ReadAlignments> aligned_;  // of the current batch, like the members below
  std::uint64_t first_number_ = 0;
  const RecordRequest* request_ = nullptr;  // null: none
  std::vector<bool> chosen_;                // [reads] the pair has its choices
  std::uint64_t first_ = 0, end_ = 0;       // the reads of the chunk that is on the device
};

}  // namespace warpseed::align::cuda
