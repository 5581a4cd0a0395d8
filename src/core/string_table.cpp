#include "core/string_table.hpp"

#include <algorithm>
#include <functional>

#include "warpseed/error.hpp"

namespace warpseed {

/// The slot of `text` in slots_, or the free slot where it belongs.
std::uint64_t StringTable::slot_of(std::string_view text) const {
  std::uint64_t slot = std::hash<std::string_view>{}(text) & (slots_.size() - 1);
  while (slots_[slot] != none && (*this)[slots_[slot]] != text) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void StringTable::grow() {
  constexpr std::size_t first_size = 64;
  slots_.assign(std::max(first_size, 2 * slots_.size()), none);
  for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of((*this)[i])] = i;
}

std::uint32_t StringTable::add(std::string_view text) {
  if (begins_.size() * 2 > slots_.size()) grow();
  const std::uint64_t slot = slot_of(text);
  if (slots_[slot] != none) return slots_[slot];
  if (begins_.size() >= none) throw InputError("more than 4,294,967,294 different names; split the input");
  letters_.insert(letters_.end(), text.begin(), text.end());
  begins_.push_back(letters_.size());
  return slots_[slot] = size() - 1;
}

std::uint32_t StringTable::find(std::string_view text) const {
  return slots_.empty() ? none : slots_[slot_of(text)];
}

}  // namespace warpseed
