#include "core/quoted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/utf8.hpp"

namespace warpseed {

namespace {

constexpr std::size_t max_bytes = 40;  // of a text

/// Whether the character of `size` bytes at the start of `text` is a control character: C0, DEL or C1.
bool is_control(std::string_view text, std::size_t size) {
  if (size == 1) return text[0] < ' ' || text[0] == 0x7F;
  return size == 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0;
}

/// Appends the first character of `text`, or a question mark; returns its bytes.
std::size_t append_visible(std::string_view text, std::string& shown) {
  const std::size_t size = utf8_character(text);
  if (size == 0 || is_control(text, size)) {
    shown += '?';
  } else {
    shown += text.substr(0, size);
  }
  return std::max<std::size_t>(size, 1);
}

}  // namespace

std::string Quoted::operator()(char letter) const {
  if (letter >= '!' && letter <= '~') return fmt::format("'{}'", letter);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(letter));
}

std::string Quoted::operator()(std::string_view text) const {
  std::string shown = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < max_bytes) at += append_visible(text.substr(at), shown);
  return shown + (at < text.size() ? "...\"" : "\"");
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) at += append_visible(text.substr(at), shown);
  return shown;
}

}  // namespace warpseed
