// The patterns of a search with differences in device memory.
#pragma once

#include <algorithm>

#include "approximate/pattern_batch.hpp"
#include "core/buffer.cuh"
#include "core/transfer.cuh"

namespace warpseed::approximate::cuda {

/// A StrandBatch in device memory.
class DeviceStrandBatch {
 public:
  /// threads: for copies.
  DeviceStrandBatch(const StrandBatch& batch, const Stream& stream, int threads)
      : patterns_(batch.patterns.size(), stream),
        sets_(batch.sets.size(), stream),
        words_(batch.words.size(), stream),
        parts_(batch.parts.size(), stream),
        pattern_of_(batch.pattern_of.size(), stream),
        exact_begin_(batch.exact_begin),
        exact_end_(batch.exact_end) {
    stream.wait();  // upload() has streams of its own
    const auto copy = [&](auto& buffer, const auto& values) {
      upload(buffer.data(), values.data(), values.size() * sizeof(values[0]), stream.pool(), threads);
    };
    copy(patterns_, batch.patterns);
    copy(sets_, batch.sets);
    copy(words_, batch.words);
    copy(parts_, batch.parts);
    copy(pattern_of_, batch.pattern_of);
    for (const StrandPattern& pattern : batch.patterns) longest_pattern_ = std::max(longest_pattern_, pattern.length);
  }

  std::uint32_t longest_pattern() const { return longest_pattern_; }

  StrandBatchView view() const {
    return {patterns_.view(), sets_.view(), words_.view(), parts_.view(), pattern_of_.view(), exact_begin_, exact_end_};
  }

 private:
  Buffer<StrandPattern> patterns_;
  Buffer<text::BaseSet> sets_;
  Buffer<std::uint64_t> words_;
  Buffer<Part> parts_;
  Buffer<std::uint32_t> pattern_of_;
  std::uint32_t exact_begin_, exact_end_, longest_pattern_ = 0;
};

}  // namespace warpseed::approximate::cuda
