// Packed reads in device memory, in both orientations.
#pragma once

#include <cstdint>
#include <span>

#include "align/pipeline/device_read_texts.cuh"
#include "align/pipeline/read_alignments.hpp"
#include "core/buffer.cuh"
#include "core/pinned.cuh"

namespace warpseed::align::cuda {

/// A batch of reads as kernels see it; owns nothing. Orientation 2i is read i as given, 2i + 1 its reverse
/// complement.
struct DeviceReadsView {
  const std::uint64_t* words = nullptr;  // PackedRead::words of all reads, one after the other
  View<std::uint64_t> offsets;           // [reads] where those of each begin
  View<std::uint32_t> lengths;           // [reads] bases
  const std::uint8_t* codes = nullptr;   // of all orientations, one after the other
  View<std::uint64_t> code_offsets;      // [reads] where those of each begin
  std::uint32_t longest = 0;             // bases
  const std::uint8_t* others = nullptr;  // [reads] 1: the read has other bases than ACGTN; null where that is not known

  WS_HD std::uint64_t count() const { return lengths.size; }

  /// Reads [first, end).
  DeviceReadsView part(std::uint64_t first, std::uint64_t end) const {
    return {words,   offsets.part(first, end),         lengths.part(first, end), codes, code_offsets.part(first, end),
            longest, others ? others + first : nullptr};
  }

  __device__ PackedStrand orientation(std::uint64_t i) const {
    return packed_strand(words + offsets[i / 2], lengths[i / 2], i % 2 != 0);
  }
  __device__ const std::uint8_t* codes_of(std::uint64_t i) const {
    return codes + code_offsets[i / 2] + i % 2 * code_room(lengths[i / 2]);
  }

  /// The codes of one orientation: whole words are unpacked.
  WS_HD static constexpr std::uint64_t code_room(std::uint64_t length) { return (length + 31) / 32 * 32; }
};

/// Host memory through which reads are copied, kept from batch to batch.
struct ReadStaging {
  PinnedArray<char> text;
  PinnedArray<std::uint64_t> offsets, code_offsets;
  PinnedArray<std::uint32_t> lengths;
  double share = 1;  // see GrowingArray::room()
};

/// Takes about three bytes per base and 64 per read, and one more per base while it packs them.
class DeviceReads {
 public:
  /// Copies the reads to the stream's device through the staging memory, which must stay unchanged until the stream has
  /// been waited for, and packs them there. A long read and one with more than `longest_allowed` bases are not copied,
  /// and their length on the device is 0. texts: these reads', none of them long, if they are on the device;
  /// else null.
  DeviceReads(std::span<const ReadAlignments> reads, const DeviceReadTexts* texts, std::uint32_t longest_allowed,
              ReadStaging& staging, const Stream& stream);

  DeviceReadsView view() const {
    return {words_.data(),        offsets_.view(), lengths_.view(), codes_.data(),
            code_offsets_.view(), longest_,        others_.data()};
  }
  std::uint64_t count() const { return lengths_.size(); }

  /// Are all reads with bases on the device?
  bool has_all() const { return has_all_; }

 private:
  template <class Bases>
  void pack(const Bases& bases, std::uint64_t word_count, std::uint64_t code_count, const Stream& stream);

  std::uint32_t longest_ = 0;
  bool has_all_ = true;
  Buffer<std::uint64_t> words_, offsets_, code_offsets_;
  Buffer<std::uint32_t> lengths_;
  Buffer<std::uint8_t> codes_, others_;
};

}  // namespace warpseed::align::cuda
