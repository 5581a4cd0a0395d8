// Sample sort for strings that share long prefixes: one search among the splitters replaces a round of keys for every
// few symbols.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/string_keys.cuh"

namespace warpseed::sort::cuda {

/// Splitters of a sample sort. Bucket 2k holds the strings between splitters k-1 and k, bucket 2k+1 those that equal
/// splitter k and need no more sorting.
template <class Text>
class Splitters {
 public:
  static constexpr std::uint64_t sample = 1 << 16;  // some 8 MB with their text: fits in the second-level cache

  /// Samples the strings of `slots` evenly and sorts the sample.
  Splitters(const Strings<Text>& strings, const SlotsView& slots, const Stream& stream);

  /// keys: [slots.count] the strings' buckets.
  void find_buckets(const SlotsView& slots, std::uint64_t* keys, const Stream& stream) const;

  std::uint64_t bucket_count() const { return depths_.size(); }
  /// [buckets] minimum prefix length that a bucket's strings share; all_equal for equal ones.
  const std::uint32_t* depths() const { return depths_.data(); }

 private:
  Strings<Text> sorted() const { return {strings_.text, begins_.data(), ends_.data(), begins_.size()}; }

  Strings<Text> strings_;
  Buffer<std::uint64_t> begins_, ends_;
  Buffer<std::uint32_t> depths_;
};

}  // namespace warpseed::sort::cuda
