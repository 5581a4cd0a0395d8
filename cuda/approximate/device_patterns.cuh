// The patterns of a search with differences in device memory.
#pragma once

#include "approximate/pattern_batch.hpp"
#include "core/buffer.cuh"

namespace warpseed::approximate::cuda {

/// A StrandBatch in device memory.
class DeviceStrandBatch {
 public:
  /// Writes the patterns' words on the device. threads: for copies.
  DeviceStrandBatch(const StrandBatch& batch, const Stream& stream, int threads);

  std::uint32_t longest_pattern() const { return longest_pattern_; }
  std::uint32_t most_parts() const { return most_parts_; }  // of a pattern

  StrandBatchView view() const {
    return {patterns_.view(), sets_.view(), words_.view(), parts_.view(), exact_begin_, exact_end_};
  }

 private:
  Buffer<StrandPattern> patterns_;
  Buffer<text::BaseSet> sets_;
  Buffer<std::uint64_t> words_;
  Buffer<Part> parts_;
  std::uint32_t exact_begin_, exact_end_, longest_pattern_ = 0, most_parts_ = 0;
};

}  // namespace warpseed::approximate::cuda
