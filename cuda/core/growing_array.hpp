// Room for values that is kept from use to use. Host only, no CUDA: the memory comes from a class of the caller's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace warpseed::cuda {

/// Room for values, in memory that is expensive to make: Memory(bytes) makes it or throws, data() is where it begins.
template <class T, class Memory>
class GrowingArray {
 public:
  /// Makes room for `count` values; what is in it is lost when it has to grow. share: the part, up to 1, that these may be
  /// of what is to come; it grows for all of that at once. Where that throws there is no room, and the next call makes it.
  std::span<T> room(std::uint64_t count, double share = 1) {
    if (count > capacity_) {
      const auto capacity = static_cast<std::uint64_t>(1.25 * static_cast<double>(count) / share) + 1;
      capacity_ = 0;
      memory_.reset();  // before there is more: both may be too much
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
