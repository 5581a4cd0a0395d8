// The texts of a batch of reads in device memory, as they are in the batch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.cuh"
#include "core/pinned.cuh"
#include "core/text_memory.hpp"
#include "core/view.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::align::cuda {

/// Reads and their texts as kernels see them; owns nothing.
struct ReadTextsView {
  View<reads::StoredRead> reads;
  const char* texts[2] = {};         // what is there of each text of the batch
  std::uint64_t begins[2] = {};      // where that begins in the text
  const char* group_text = nullptr;  // IDs of the read groups, one after the other
  View<std::uint32_t> group_begins;  // [groups + 1]

  __device__ const char* at(const reads::StoredRead& read, reads::ReadPart part) const {
    return texts[read.text] + (read.begin - begins[read.text]) + part.begin;
  }
  __device__ View<char> group_of(std::uint64_t read) const {
    const std::uint32_t begin = group_begins[reads[read].read_group], end = group_begins[reads[read].read_group + 1];
    return {group_text + begin, end - begin};
  }
};

/// A batch's texts are copied as a whole: to gather names, bases and qualities of each read on the host takes several times
/// as long. Keeps the staging memory from batch to batch.
class DeviceReadTexts {
 public:
  /// Queues the copies of reads [first, first + count) of the batch and of their texts. The staging memory stays unchanged
  /// until the stream has been waited for. share: see GrowingArray::room().
  void upload(const reads::ReadBatch& batch, std::uint64_t first, std::uint64_t count, double share,
              const Stream& stream);

  /// The IDs of the read groups, the same for all batches: copied once, and waited for.
  void upload_groups(const std::vector<std::string>& ids, const Stream& stream);

  void release() { texts_[0] = {}, texts_[1] = {}, reads_ = {}; }

  /// Of reads [first, first + count) of the last upload(): read `first` is number 0.
  ReadTextsView view() const;

  /// How many bases a read has, numbered as in view(); until the next upload().
  std::uint32_t base_count(std::uint64_t read) const { return uploaded_[read].bases.size; }

 private:
  struct Extent {
    std::uint64_t begin, end;
  };

  void upload_text(const TextMemory& all, std::uint32_t which, Extent extent, double share, const Stream& stream);

  PinnedArray<char> staged_texts_[2];
  PinnedArray<reads::StoredRead> staged_reads_;
  std::span<const reads::StoredRead> uploaded_;  // of staged_reads_
  std::uint64_t begins_[2] = {};                 // what is on the device of each text
  Buffer<char> texts_[2], group_text_;
  Buffer<reads::StoredRead> reads_;
  Buffer<std::uint32_t> group_begins_;
};

}  // namespace warpseed::align::cuda
