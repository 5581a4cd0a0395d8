// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpseed {

/// Bytes of the first character of `text`, which must not be empty: 1 for ASCII, including control characters; 0 if
/// `text` does not begin with valid UTF-8 (RFC 3629).
inline std::size_t utf8_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F, too_large = first == 0xF4 && byte(1) > 0x8F;
  return too_long || surrogate || too_large ? 0 : size;
}

}  // namespace warpseed
