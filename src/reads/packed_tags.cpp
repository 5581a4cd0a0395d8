#include "reads/packed_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "text/alphabet.hpp"

namespace warpseed::reads {

namespace {

constexpr std::size_t value_begin = 3;  // after the tag's name and its type

std::size_t number_size(char type) {
  switch (type) {
    case 'A':
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'd': return 8;
    default: return 0;
  }
}

/// Bytes of an array: its element type, its length (little-endian) and its elements.
std::size_t array_size(std::string_view value) {
  constexpr std::size_t head = 5;
  if (value.size() < head) return 0;
  std::uint32_t count = 0;
  for (std::size_t i = head - 1; i > 0; --i) count = count << 8 | static_cast<unsigned char>(value[i]);
  const std::size_t width = value[0] == 'A' || value[0] == 'd' ? 0 : number_size(value[0]);
  return width == 0 ? 0 : head + std::size_t{count} * width;
}

bool is_per_base(std::string_view field) {
  return field.starts_with("OQZ") || field.starts_with("U2Z") || field.starts_with("E2Z");
}

}  // namespace

bool is_written_by_align(std::string_view tag) {
  constexpr std::string_view written[] = {"NM", "MD", "MC", "MQ", "AS", "XS", "SA", "pa", "XA", "cs", "ds"};
  return std::find(std::begin(written), std::end(written), tag) != std::end(written);
}

std::size_t packed_tag_size(std::string_view fields) {
  if (fields.size() <= value_begin) return 0;
  const std::string_view value = fields.substr(value_begin);
  std::size_t size = 0;
  switch (fields[2]) {
    case 'Z':
    case 'H': size = value.find('\0') + 1; break;  // 0 if there is no NUL
    case 'B': size = array_size(value); break;
    default: size = number_size(fields[2]);
  }
  return size == 0 || size > value.size() ? 0 : value_begin + size;
}

std::size_t trim_packed_tags(char* fields, std::size_t size, const ShownBases& shown) {
  char* out = fields;
  for (const char* in = fields, *end = fields + size; in != end;) {
    const std::size_t bytes = packed_tag_size({in, static_cast<std::size_t>(end - in)});
    if (bytes == 0) throw std::invalid_argument("show_packed_tags: malformed fields");
    if (!is_per_base({in, bytes}) || bytes != value_begin + shown.of + 1) {
      std::memmove(out, in, bytes);
      out += bytes;
    } else if (shown.size > 0) {
      const bool of_bases = in[0] == 'E';
      std::memmove(out, in, value_begin);
      char* text = out + value_begin;
      std::memmove(text, in + value_begin + shown.begin, shown.size);
      if (shown.reversed) std::reverse(text, text + shown.size);
      if (shown.reversed && of_bases) std::transform(text, text + shown.size, text, text::complement_letter);
      text[shown.size] = '\0';
      out = text + shown.size + 1;
    }
    in += bytes;
  }
  return static_cast<std::size_t>(out - fields);
}

}  // namespace warpseed::reads
