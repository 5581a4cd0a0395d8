// Hands out stretches of one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace warpseed {

/// Memory that was allocated once, and whose stretches are taken and given back without another call. It never touches
/// the memory itself, which may be a device's. Threads: one at a time.
class Arena {
 public:
  static constexpr std::uint64_t alignment = 512;  // of every stretch, if `begin` has it

  Arena(std::byte* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {
    if (bytes > 0) gaps_.emplace(0, bytes);
  }

  /// Null if no gap is large enough. Takes the first one that is. Throws std::bad_alloc, and then takes nothing.
  void* take(std::uint64_t bytes);

  /// stretch: from take(). Takes no memory.
  void give_back(const void* stretch);

  bool owns(const void* address) const {
    const auto* at = static_cast<const std::byte*>(address);
    return at >= begin_ && at < begin_ + bytes_;
  }
  std::byte* begin() const { return begin_; }
  std::uint64_t taken_bytes() const { return taken_bytes_; }
  std::uint64_t free_bytes() const { return bytes_ - taken_bytes_; }

 private:
  std::byte* const begin_;
  const std::uint64_t bytes_;
  std::map<std::uint64_t, std::uint64_t> gaps_, taken_;  // offset and size
  std::uint64_t taken_bytes_ = 0;
};

}  // namespace warpseed
