#include "core/arena.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace warpseed {

void* Arena::take(std::uint64_t bytes) {
  const std::uint64_t size = (bytes + alignment - 1) / alignment * alignment;
  const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [&](const auto& free) { return free.second >= size; });
  if (gap == gaps_.end() || size == 0) return nullptr;
  const auto [offset, gap_size] = *gap;
  if (gap_size > size) gaps_.emplace(offset + size, gap_size - size);  // first: it may throw
  auto stretch = gaps_.extract(gap);
  stretch.mapped() = size;
  taken_.insert(std::move(stretch));
  taken_bytes_ += size;
  return begin_ + offset;
}

void Arena::give_back(const void* stretch) {
  const auto found = taken_.find(static_cast<std::uint64_t>(static_cast<const std::byte*>(stretch) - begin_));
  if (found == taken_.end()) throw std::logic_error("Arena: nothing was taken there");
  taken_bytes_ -= found->second;
  auto gap = gaps_.insert(taken_.extract(found)).position;
  const auto next = std::next(gap);
  if (next != gaps_.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap == gaps_.begin()) return;
  const auto before = std::prev(gap);
  if (before->first + before->second != gap->first) return;
  before->second += gap->second;
  gaps_.erase(gap);
}

}  // namespace warpseed
