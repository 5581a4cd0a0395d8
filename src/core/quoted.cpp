#include "core/quoted.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "core/utf8.hpp"

namespace warpseed {

namespace {

constexpr std::size_t most_bytes = 40;  // of a text

}  // namespace

std::string quoted(char letter) {
  if (letter >= '!' && letter <= '~') return fmt::format("'{}'", letter);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(letter));
}

std::string quoted(std::string_view text) {
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < most_bytes) {
    const std::size_t size = utf8_letter(text.substr(at));
    const bool visible = size > 1 || (size == 1 && text[at] >= ' ' && text[at] != 0x7F);
    if (visible) {
      shown += text.substr(at, size);
    } else {
      shown += '?';
    }
    at += visible ? size : 1;
  }
  return shown + (at < text.size() ? "...\"" : "\"");
}

}  // namespace warpseed
