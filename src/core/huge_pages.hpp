// Memory for large arrays, in pages of 2 MiB if the system supports them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace warpseed {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Allocates at least this many bytes in whole huge pages; release with std::free(). Throws std::bad_alloc.
inline void* allocate_huge_pages(std::size_t bytes) {
  const std::size_t rounded = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  void* memory = std::aligned_alloc(huge_page_bytes, rounded);
  if (!memory) throw std::bad_alloc();
  madvise(memory, rounded, MADV_HUGEPAGE);  // only a hint
  return memory;
}

/// Writes to new memory, so that the system clears it now. Threads that write to a new huge page at the same time each have
/// the system clear one, of which all but one are dropped: give each thread huge pages of its own.
inline void touch_pages(std::span<std::byte> memory) {
  constexpr std::size_t page_bytes = 4 << 10;  // where there are no huge ones
  for (std::size_t at = 0; at < memory.size(); at += page_bytes) static_cast<volatile std::byte&>(memory[at]) = {};
}

/// An allocator for standard containers. The first access to a 4 KiB page costs a microsecond, as much as filling it.
/// Elements constructed without a value stay uninitialised.
template <class T>
class HugePageAllocator {
 public:
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) noexcept {}  // implicit: containers convert allocators

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_bytes) return static_cast<T*>(::operator new(bytes));
    return static_cast<T*>(allocate_huge_pages(bytes));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (count * sizeof(T) < least_bytes) {
      ::operator delete(memory);
    } else {
      std::free(memory);
    }
  }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t least_bytes = 2 * huge_page_bytes;
};

template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace warpseed
