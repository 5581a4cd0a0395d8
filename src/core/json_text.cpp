#include "core/json_text.hpp"

#include <fmt/format.h>

namespace warpseed {

namespace {

/// Bytes of the UTF-8 letter beyond ASCII that `text` begins with; 0 if it begins with none (RFC 3629).
std::size_t utf8_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_letter =
      (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);  // surrogate, too large
  return too_long || no_letter ? 0 : size;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto letter = static_cast<unsigned char>(text.front());
    std::size_t size = 1;
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += text.front();
    } else if (letter >= 0x20 && letter < 0x7F) {
      out += text.front();
    } else if ((size = utf8_letter(text)) > 0) {
      out += text.substr(0, size);
    } else {
      out += fmt::format("\\u{:04x}", letter);
      size = 1;
    }
    text.remove_prefix(size);
  }
  return out += '"';
}

}  // namespace warpseed
