// Large arrays of zeros that cost nothing until they are written.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "core/huge_pages.hpp"

namespace warpseed {

/// An allocator for containers that are sized once. Elements constructed without a value are all zero bits: the system
/// clears a page when a thread first writes to it, so that the threads that fill an array share this work, and parts
/// that are only read take no memory. Growing an array that had elements removed does not clear them.
template <class T>
class ZeroPageAllocator {
 public:
  using value_type = T;

  ZeroPageAllocator() = default;
  template <class U>
  ZeroPageAllocator(const ZeroPageAllocator<U>&) noexcept {}  // implicit: containers convert allocators

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = bytes < least_bytes ? small(bytes) : map(bytes);
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (count * sizeof(T) < least_bytes) {
      std::free(memory);
    } else {
      munmap(memory, rounded(count * sizeof(T)));
    }
  }

  template <class U>
  void construct(U*) {}
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }

  friend bool operator==(const ZeroPageAllocator&, const ZeroPageAllocator&) { return true; }

 private:
  static constexpr std::size_t least_bytes = 2 * huge_page_bytes;

  static std::size_t rounded(std::size_t bytes) {
    return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  }

  static void* small(std::size_t bytes) {
    constexpr std::size_t alignment = std::max(alignof(T), alignof(std::max_align_t));
    const std::size_t wanted = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, wanted);
    if (memory) std::memset(memory, 0, wanted);
    return memory;
  }

  /// Whole huge pages; what is mapped in addition to align them is given back. Null if there is no memory.
  static void* map(std::size_t bytes) {
    const std::size_t wanted = rounded(bytes), mapped = wanted + huge_page_bytes;
    void* const first = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(first), aligned = rounded(begin);
    if (aligned > begin) munmap(first, aligned - begin);
    auto* const memory = static_cast<std::byte*>(first) + (aligned - begin);
    if (aligned + wanted < begin + mapped) munmap(memory + wanted, begin + mapped - aligned - wanted);
    madvise(memory, wanted, MADV_HUGEPAGE);  // only a hint
    return memory;
  }
};

template <class T>
using ZeroedArray = std::vector<T, ZeroPageAllocator<T>>;

}  // namespace warpseed
