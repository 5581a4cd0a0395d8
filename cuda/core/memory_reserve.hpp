// Memory that is expensive to allocate, and that many buffers share. Host only, no CUDA: a class of the caller provides it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/arena.hpp"
#include "core/background_thread.hpp"

namespace warpseed::cuda {

/// Hands out stretches of slabs: Memory(bytes) allocates one or throws, data() is its start. Slabs stay, also those that
/// nothing is left of, until there is no room for a larger stretch, which then takes their place. Its buffers must be gone
/// before it. Threads: any number.
template <class Memory>
class MemoryReserve {
 public:
  /// So many bytes, aligned as Arena says where slabs are. The smaller ones share slabs of up to 64 MiB, a larger one has
  /// its own as long as it is in use. Throws what Memory(bytes) throws.
  std::byte* take(std::uint64_t bytes) {
    bytes = std::max<std::uint64_t>(bytes, 1);
    if (std::byte* const memory = take_of_slabs(bytes)) return memory;
    const std::lock_guard one_at_a_time(growth_mutex_);
    if (std::byte* const memory = take_of_slabs(bytes)) return memory;  // of a slab that was made meanwhile
    const std::uint64_t slab_bytes = std::max(rounded(bytes), std::min(bytes_, most_shared_bytes));
    free_unused(slab_bytes);  // first: both together may not fit
    auto slab = std::make_unique<Slab>(slab_bytes);
    const std::lock_guard lock(mutex_);
    bytes_ += slab->bytes;
    slabs_.push_back(std::move(slab));
    return slabs_.back()->take(bytes);
  }

  /// memory: from take().
  void give_back(const std::byte* memory) noexcept {
    const std::lock_guard lock(mutex_);
    const auto owner = std::ranges::find_if(slabs_, [&](const auto& slab) { return slab->arena.owns(memory); });
    (*owner)->arena.give_back(memory);
  }

 private:
  static constexpr std::uint64_t most_shared_bytes = 64 << 20, page_bytes = 2 << 20;

  struct Slab {
    explicit Slab(std::uint64_t size)
        : bytes(size), memory(size), arena(static_cast<std::byte*>(memory.data()), size) {}

    std::byte* take(std::uint64_t count) { return static_cast<std::byte*>(arena.take(count)); }

    const std::uint64_t bytes;
    Memory memory;
    Arena arena;
  };

  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

  /// Of the fullest slab with room for it, so that others keep room for larger ones. Null if there is none.
  std::byte* take_of_slabs(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    std::ranges::sort(slabs_, {}, [](const auto& slab) { return slab->arena.free_bytes(); });
    for (const auto& slab : slabs_)
      if (std::byte* const memory = slab->take(bytes)) return memory;
    return nullptr;
  }

  /// Frees slabs that nothing is left of, until it is so many bytes, in a thread of its own: to free Memory may change what
  /// belongs to the thread, such as its current device. Needs growth_mutex_.
  void free_unused(std::uint64_t bytes) {
    std::vector<std::unique_ptr<Slab>> unused = take_unused(bytes);
    if (!unused.empty()) BackgroundThread<>([&] { unused.clear(); }).get();
  }

  std::vector<std::unique_ptr<Slab>> take_unused(std::uint64_t bytes) {
    std::vector<std::unique_ptr<Slab>> taken;
    const std::lock_guard lock(mutex_);
    for (std::uint64_t found = 0; found < bytes;) {
      const auto unused = std::ranges::find_if(slabs_, [](const auto& slab) { return slab->arena.taken_bytes() == 0; });
      if (unused == slabs_.end()) break;
      found += (*unused)->bytes, bytes_ -= (*unused)->bytes;
      taken.push_back(std::move(*unused));
      slabs_.erase(unused);
    }
    return taken;
  }

  std::mutex growth_mutex_;  // of who makes a slab, which others wait for: they may find room there
  std::mutex mutex_;         // guards the slabs
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::uint64_t bytes_ = 0;  // of all slabs; guarded by growth_mutex_
};

}  // namespace warpseed::cuda
