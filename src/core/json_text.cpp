#include "core/json_text.hpp"

#include <fmt/format.h>

#include "core/utf8.hpp"

namespace warpseed {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto letter = static_cast<unsigned char>(text.front());
    std::size_t size = utf8_character(text);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += text.front();
    } else if (size > 0 && letter >= 0x20 && letter != 0x7F) {
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
