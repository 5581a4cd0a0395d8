// An array whose memory is reused. Host only, no CUDA: a class of the caller provides the memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace warpseed::cuda {

/// An array in memory that is expensive to allocate: Memory(bytes) allocates it or throws, data() is its start.
template <class T, class Memory>
class GrowingArray {
 public:
  /// Returns room for `count` values; the old contents are lost when the array grows. share: the fraction, up to 1,
  /// that `count` may be of later requests; growth provides for all of these at once. If it throws, the array is empty,
  /// and the next call allocates again.
  std::span<T> room(std::uint64_t count, double share = 1) {
    if (count > capacity_) {
      const auto capacity = static_cast<std::uint64_t>(1.25 * static_cast<double>(count) / share) + 1;
      capacity_ = 0;
      memory_.reset();  // freed first: both together may not fit
      memory_ = std::make_unique<Memory>(capacity * sizeof(T));
      capacity_ = capacity;
    }
    return {memory_ ? static_cast<T*>(memory_->data()) : nullptr, count};
  }

 private:
  std::uint64_t capacity_ = 0;
  std::unique_ptr<Memory> memory_;
};

}  // namespace warpseed::cuda
