// The patterns of a search with differences in device memory.
#pragma once

#include "approximate/pattern_batch.hpp"
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
        pattern_of_(std::span(batch.pattern_of), stream),
        exact_begin_(batch.exact_begin),
        exact_end_(batch.exact_end) {}

  StrandBatchView view() const {
    return {patterns_.view(), sets_.view(), words_.view(), parts_.view(), pattern_of_.view(), exact_begin_, exact_end_};
  }

 private:
  Buffer<StrandPattern> patterns_;
  Buffer<text::BaseSet> sets_;
  Buffer<std::uint64_t> words_;
  Buffer<Part> parts_;
  Buffer<std::uint32_t> pattern_of_;
  std::uint32_t exact_begin_, exact_end_;
};

}  // namespace warpseed::approximate::cuda
