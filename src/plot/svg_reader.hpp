// Reads the SVG that this module writes, tag by tag; private to the module.
#pragma once

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpseed::plot {

using SvgAttributes = std::map<std::string_view, std::string_view>;

/// A start tag, an empty element, an end tag or text.
struct SvgPart {
  enum class Kind { start, empty, end, text } kind = Kind::text;
  std::string_view name = {};  // or the text, with its entities
  SvgAttributes attributes = {};
};

/// Takes the first part off `svg`, not empty. Throws std::logic_error for what this module does not write.
inline SvgPart next_part(std::string_view& svg) {
  const auto take = [&svg](std::size_t size) {
    if (size > svg.size()) throw std::logic_error("next_part: a tag has no end");
    const std::string_view taken = svg.substr(0, size);
    svg.remove_prefix(size);
    return taken;
  };
  if (svg.front() != '<') return {SvgPart::Kind::text, take(std::min(svg.find('<'), svg.size()))};
  std::string_view tag = take(svg.find('>') + 1);
  if (tag.starts_with("<?")) return {SvgPart::Kind::text, {}};
  if (tag.starts_with("</")) return {SvgPart::Kind::end, tag.substr(2, tag.size() - 3)};
  const bool empty = tag.ends_with("/>");
  tag = tag.substr(1, tag.size() - (empty ? 3 : 2));
  SvgPart part{empty ? SvgPart::Kind::empty : SvgPart::Kind::start, tag.substr(0, tag.find(' '))};
  for (std::size_t at = part.name.size(); at < tag.size();) {
    const std::size_t equals = tag.find("=\"", at), end = tag.find('"', equals + 2);
    if (equals == tag.npos || end == tag.npos) throw std::logic_error("next_part: an attribute has no value");
    part.attributes[tag.substr(at + 1, equals - at - 1)] = tag.substr(equals + 2, end - equals - 2);
    at = end + 1;
  }
  return part;
}

/// Text without entities; the inverse of xml_escaped().
inline std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t size = 1;
    char letter = text.front();
    if (letter == '&') {
      size = std::min(text.find(';'), text.size() - 1) + 1;
      const std::string_view entity = text.substr(0, size);
      letter = entity == "&amp;"    ? '&'
               : entity == "&lt;"   ? '<'
               : entity == "&gt;"   ? '>'
               : entity == "&quot;" ? '"'
                                    : '\'';
    }
    out += letter;
    text.remove_prefix(size);
  }
  return out;
}

/// Takes numbers and commands off path data, transformations and the like.
class SvgNumbers {
 public:
  explicit SvgNumbers(std::string_view text) : text_(text) { skip_spaces(); }

  bool empty() const { return text_.empty(); }

  /// The characters up to the next number, '(' or space.
  std::string_view word() {
    std::size_t size = 0;
    while (size < text_.size() && text_[size] >= 'A') ++size;
    const std::string_view word = text_.substr(0, size);
    text_.remove_prefix(size);
    skip_spaces();
    return word;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) throw std::logic_error("SvgNumbers: not a number: " + std::string(text_.substr(0, 20)));
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    skip_spaces();
    return value;
  }

 private:
  void skip_spaces() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '(' || text_.front() == ')')) {
      text_.remove_prefix(1);
    }
  }

  std::string_view text_;
};

}  // namespace warpseed::plot
