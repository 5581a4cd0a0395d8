// Writes the entries of position arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpseed::index {

/// Writes entry i of a PositionArray of entries of `width` bytes, 4 or 8.
inline void put_position(std::byte* array, std::uint32_t width, std::uint64_t i, std::uint64_t value) {
  if (width == 4) {
    const auto narrow = static_cast<std::uint32_t>(value);
    std::memcpy(array + 4 * i, &narrow, 4);
  } else {
    std::memcpy(array + 8 * i, &value, 8);
  }
}

}  // namespace warpseed::index
