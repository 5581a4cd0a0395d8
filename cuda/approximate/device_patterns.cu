#include "approximate/device_patterns.cuh"

#include <algorithm>
#include <array>

#include "approximate/pattern_words_core.hpp"
#include "core/launch.cuh"
#include "core/transfer.cuh"

namespace warpseed::approximate::cuda {

namespace {

/// One thread writes the words of one pattern.
__global__ void write_words_kernel(Metric metric, StrandBatchView batch, std::uint64_t* words) {
  const std::uint64_t i = thread_index();
  if (i >= batch.patterns.size) return;
  write_words(metric, batch.strand_sets(i), words + batch.patterns[i].first_word);
}

}  // namespace

DeviceStrandBatch::DeviceStrandBatch(const StrandBatch& batch, const Stream& stream, int threads)
    : patterns_(batch.patterns.size(), stream),
      sets_(batch.sets.size(), stream),
      words_(batch.words, stream),
      parts_(batch.parts.size(), stream),
      exact_begin_(batch.exact_begin),
      exact_end_(batch.exact_end) {
  stream.wait();  // upload() has streams of its own
  const auto copy = [](auto& buffer, const auto& values) {
    return Copy{buffer.data(), values.data(), values.size() * sizeof(values[0])};
  };
  const std::array arrays = {copy(sets_, batch.sets), copy(parts_, batch.parts), copy(patterns_, batch.patterns)};
  upload(arrays, stream.pool(), threads);
  launch("write_words_kernel", write_words_kernel, patterns_.size(), stream, batch.metric, view(), words_.data());
  for (const StrandPattern& pattern : batch.patterns) {
    longest_pattern_ = std::max(longest_pattern_, pattern.length);
    most_parts_ = std::max(most_parts_, pattern.part_count);
  }
}

}  // namespace warpseed::approximate::cuda
