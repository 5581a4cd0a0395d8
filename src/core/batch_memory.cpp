#include "core/batch_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "core/huge_pages.hpp"

namespace warpseed {

namespace {

constexpr std::size_t alignment_of_all = alignof(std::max_align_t);
constexpr std::size_t stretch_bytes = 32 << 10;  // of a thread
constexpr std::size_t small_bytes = 4 << 10;     // pieces up to this size come from a thread's stretch
constexpr std::size_t least_chunk_bytes = 2 * stretch_bytes;

}  // namespace

BatchMemory::Chunk::Chunk(std::size_t size) : bytes(size) {
  memory.reset(static_cast<std::byte*>(size < huge_page_bytes ? std::malloc(size) : allocate_huge_pages(size)));
  if (!memory) throw std::bad_alloc();
}

std::byte* BatchMemory::Stretch::take(std::size_t count) {
  if (count > bytes) return nullptr;
  bytes -= count;
  return std::exchange(begin, begin + count);
}

void* BatchMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (alignment > alignment_of_all) throw std::bad_alloc();
  const std::size_t rounded = (bytes + alignment_of_all - 1) / alignment_of_all * alignment_of_all;
  if (rounded > small_bytes) return take_of_chunks(rounded);
  Stretch& own = of_threads_.local();
  if (std::byte* const piece = own.take(rounded)) return piece;
  own = {take_of_chunks(stretch_bytes), stretch_bytes};
  return own.take(rounded);
}

std::byte* BatchMemory::take_of_chunks(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (std::byte* const piece = left_.take(bytes)) return piece;
  const auto unused = chunks_.begin() + static_cast<std::ptrdiff_t>(in_use_);
  auto next = std::find_if(unused, chunks_.end(), [bytes](const Chunk& chunk) { return chunk.bytes >= bytes; });
  if (next == chunks_.end()) {
    chunks_.emplace_back(std::max(bytes, std::clamp(all_bytes(), least_chunk_bytes, most_chunk_bytes)));
    next = chunks_.end() - 1;
  }
  std::iter_swap(chunks_.begin() + static_cast<std::ptrdiff_t>(in_use_), next);
  const Chunk& taken = chunks_[in_use_++];
  left_ = {taken.memory.get(), taken.bytes};
  return left_.take(bytes);
}

std::size_t BatchMemory::all_bytes() const {
  std::size_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
  return bytes;
}

void BatchMemory::clear() {
  const std::lock_guard lock(mutex_);
  for (Stretch& of_thread : of_threads_) of_thread = {};
  left_ = {};
  in_use_ = 0;
  std::size_t kept_bytes = 0;
  std::erase_if(chunks_, [&](const Chunk& chunk) {
    if (kept_bytes + chunk.bytes > most_kept_bytes) return true;
    kept_bytes += chunk.bytes;
    return false;
  });
}

}  // namespace warpseed
