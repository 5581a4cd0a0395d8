// The memory of a search with differences on a device: nodes to extend, rows to verify, ends that were found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "approximate/pattern_batch.hpp"
#include "approximate/trie_core.hpp"
#include "core/appender.cuh"
#include "core/buffer.cuh"

namespace warpseed::approximate::cuda {

/// A StrandBatch in device memory.
class DeviceStrandBatch {
 public:
  DeviceStrandBatch(const StrandBatch& batch, const Stream& stream)
      : patterns_(std::span(batch.patterns), stream),
        sets_(std::span(batch.sets), stream),
        words_(std::span(batch.words), stream),
        parts_(std::span(batch.parts), stream),
        pattern_of_(std::span(batch.pattern_of), stream) {}

  StrandBatchView view() const {
    return {patterns_.view(), sets_.view(), words_.view(), parts_.view(), pattern_of_.view()};
  }

 private:
  Buffer<StrandPattern> patterns_;
  Buffer<text::BaseSet> sets_;
  Buffer<std::uint64_t> words_;
  Buffer<Part> parts_;
  Buffer<std::uint32_t> pattern_of_;
};

/// An end in one word, which sorts by pattern, end and differences.
class PackedEnd {
 public:
  static constexpr unsigned difference_bits = 4;

  /// text_size: no end is larger.
  explicit PackedEnd(std::uint64_t text_size) {
    while (text_size >> end_bits_ != 0) ++end_bits_;
  }

  std::uint64_t most_patterns() const { return std::uint64_t{1} << (64 - difference_bits - end_bits_); }
  unsigned bits_for(std::uint64_t patterns) const {
    unsigned bits = 0;
    while (bits + difference_bits + end_bits_ < 64 && (patterns - 1) >> bits != 0) ++bits;
    return bits + difference_bits + end_bits_;
  }

  WS_HD std::uint64_t pack(std::uint64_t pattern, TextPos end, std::uint32_t differences) const {
    return (pattern << end_bits_ | end) << difference_bits | differences;
  }
  std::uint64_t pattern(std::uint64_t packed) const { return packed >> difference_bits >> end_bits_; }
  AlignmentEnd end(std::uint64_t packed) const {
    return {packed >> difference_bits & ((std::uint64_t{1} << end_bits_) - 1),
            static_cast<std::uint32_t>(packed & ((1U << difference_bits) - 1))};
  }

 private:
  unsigned end_bits_ = 1;
};

}  // namespace warpseed::approximate::cuda
