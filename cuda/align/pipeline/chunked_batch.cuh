// A batch of reads on a device, in as few chunks as its memory allows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "align/pipeline/device_batch.cuh"

namespace warpseed::align::cuda {

/// Takes one batch after the other. A batch is one chunk as long as the memory suffices. Where it does not, for whatever a
/// batch needs it for, the chunk is given up, and half as many reads are worked on at a time from then on: one chunk after
/// the other goes from its seeds to what is fetched, and nothing of it stays on the device when the next one comes. Where
/// two reads are too many OutOfDeviceMemory is thrown.
/// Threads: one caller at a time.
class ChunkedBatch {
 public:
  /// As DeviceBatch.
  ChunkedBatch(const AlignmentDeviceData& index, ReadAligner alone, int device, const BatchLimits& limits)
      : batch_(index, std::move(alone), device, limits) {}

  /// A batch whose choices can be made at once: done with when this returns.
  void align_and_choose(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                        const SelectionRequest& selection);

  /// Any other one, as BatchAligner and Placement say. It stays until the next one, or until it is let go.
  void align(std::span<ReadAlignments> aligned, std::uint64_t first_number);
  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices);
  void fetch(std::uint64_t first, std::uint64_t end, FetchScope which);
  void let_go();

  /// Of all batches so far.
  const StageTimes& times() const { return batch_.times(); }

  /// The most reads that are worked on at a time, since memory ran out; all of a batch before.
  std::uint64_t most_reads() const { return most_reads_; }
  static constexpr std::uint64_t all_reads = ~std::uint64_t{0};

 private:
  template <class Work>
  void in_chunks(std::uint64_t first, std::uint64_t end, Work work);
  void begin(std::span<ReadAlignments> aligned, std::uint64_t first_number);
  void bring(std::uint64_t first, std::uint64_t end);
  void fetch_chosen(std::uint64_t first, std::uint64_t end, FetchScope which);
  void drop();
  void shrink(std::uint64_t count);
  bool is_here(std::uint64_t first, std::uint64_t end) const { return first >= first_ && end <= end_; }

  DeviceBatch batch_;  // a chunk is one of these
  std::uint64_t most_reads_ = all_reads;
  std::span<ReadAlignments> aligned_;  // the batch at hand, as what follows
  std::uint64_t first_number_ = 0;
  std::vector<bool> chosen_;           // [reads] of pairs whose choices are made
  std::uint64_t first_ = 0, end_ = 0;  // the reads of the chunk that is on the device
};

}  // namespace warpseed::align::cuda
