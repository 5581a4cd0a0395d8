// Numbers, names and elements of SVG and HTML; for this module and src/report.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/utf8.hpp"

namespace warpseed::plot {

/// utf8_character() without characters that XML or its readers may reject: control characters and U+F000 to U+FFFF.
inline std::size_t xml_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return first < ' ' || first == 0x7F || first == 0xEF ? 0 : utf8_character(text);
}

/// Escapes text for element content and attributes; replaces characters that XML cannot hold with '?'. At most `most`
/// characters, then an ellipsis.
inline std::string xml_escaped(std::string_view text, std::size_t most = std::string_view::npos) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = xml_character(text);
    if (most-- == 0) return out += "\u2026";
    switch (size == 0 ? '?' : text.front()) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += size == 0 ? "?" : text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

/// Formats hundredths of a unit as briefly as possible: 1250 is 12.5, -50 is -.5.
inline std::string decimal(std::int64_t hundredths) {
  const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
  std::string out = hundredths < 0 ? "-" : "";
  const std::int64_t fraction = size % 100;
  if (size >= 100 || fraction == 0) out += std::to_string(size / 100);
  if (fraction == 0) return out;
  out += '.';
  out += static_cast<char>('0' + fraction / 10);
  if (fraction % 10 != 0) out += static_cast<char>('0' + fraction % 10);
  return out;
}

inline std::string decimal(double value) {
  return decimal(static_cast<std::int64_t>(std::lround(value * 100)));
}

/// 1234567 as 1,234,567.
inline std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

/// A start tag or an empty element: Tag("rect").with("x", 3.5).close().
class Tag {
 public:
  explicit Tag(std::string_view name) : text_(1, '<') { text_.append(name); }

  Tag& with(std::string_view name, std::string_view value) {
    text_.append(" ").append(name).append("=\"").append(value).append("\"");
    return *this;
  }
  Tag& with(std::string_view name, double value) { return with(name, decimal(value)); }

  std::string open() const { return text_ + ">"; }
  std::string close() const { return text_ + "/>\n"; }

 private:
  std::string text_;
};

}  // namespace warpseed::plot
