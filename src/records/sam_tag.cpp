#include "records/sam_tag.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "reads/packed_tags.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_hex(std::string_view text) {
  return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
         });
}

/// Parses all of `text` as a number.
template <class Number>
bool parse(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

/// Appends a number's little-endian bytes, as in BAM.
template <class Number>
void put(std::vector<std::uint8_t>& bytes, Number value) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(value));
}

template <class Number>
bool put_integer(std::vector<std::uint8_t>& bytes, std::int64_t value) {
  if (value < std::numeric_limits<Number>::min() || value > std::numeric_limits<Number>::max()) return false;
  put(bytes, static_cast<Number>(value));
  return true;
}

/// Appends the number if it fits the BAM type.
bool put_number(std::vector<std::uint8_t>& bytes, char type, std::string_view text) {
  if (type == 'f') {
    float value = 0;
    if (!parse(text, value)) return false;
    put(bytes, value);
    return true;
  }
  std::int64_t value = 0;
  if (!parse(text, value)) return false;
  switch (type) {
    case 'c': return put_integer<std::int8_t>(bytes, value);
    case 'C': return put_integer<std::uint8_t>(bytes, value);
    case 's': return put_integer<std::int16_t>(bytes, value);
    case 'S': return put_integer<std::uint16_t>(bytes, value);
    case 'i': return put_integer<std::int32_t>(bytes, value);
    case 'I': return put_integer<std::uint32_t>(bytes, value);
    default: return false;
  }
}

/// The smallest BAM type for an integer, unsigned if there is a choice; 0 if there is none.
char smallest_type(std::string_view text, std::vector<std::uint8_t>& bytes) {
  for (const char type : {'C', 'c', 'S', 's', 'I', 'i'}) {
    if (put_number(bytes, type, text)) return type;
  }
  return 0;
}

/// Appends an array "c,1,2,3": the element type, then the elements.
bool put_array(std::vector<std::uint8_t>& bytes, std::string_view text) {
  const char type = text.empty() ? '\0' : text[0];
  if (!std::strchr("cCsSiIf", type) || type == '\0') return false;
  bytes.push_back(static_cast<std::uint8_t>(type));
  put(bytes, static_cast<std::uint32_t>(std::count(text.begin(), text.end(), ',')));
  text.remove_prefix(1);
  while (!text.empty()) {
    if (text[0] != ',') return false;
    const std::uint64_t end = std::min(text.find(',', 1), text.size());
    if (!put_number(bytes, type, text.substr(1, end - 1))) return false;
    text.remove_prefix(end);
  }
  return true;
}

/// Appends a value of SAM type `type`; returns the BAM type, or 0 if the value is not of its type.
char put_value(std::vector<std::uint8_t>& bytes, char type, std::string_view value) {
  switch (type) {
    case 'A':
      if (value.size() != 1 || !is_printable(value)) return 0;
      bytes.push_back(static_cast<std::uint8_t>(value[0]));
      return type;
    case 'i': return smallest_type(value, bytes);
    case 'f': return put_number(bytes, type, value) ? type : '\0';
    case 'H':
      if (!is_hex(value)) return 0;
      [[fallthrough]];
    case 'Z':
      if (!is_printable(value)) return 0;
      bytes.insert(bytes.end(), value.begin(), value.end());
      bytes.push_back(0);
      return type;
    case 'B': return put_array(bytes, value) ? type : '\0';
    default: return 0;
  }
}

[[noreturn]] void fail(const bam1_t* record, std::string_view field, std::string_view problem) {
  throw InputError(fmt::format("read '{}': comment \"{}\" {}; repair the comments, or leave them out",
                               bam_get_qname(record), field, problem));
}

void append_tag(bam1_t* record, std::string_view field) {
  const bool has_shape = field.size() >= 5 && is_letter(field[0]) && (is_letter(field[1]) || is_digit(field[1])) &&
                         field[2] == ':' && field[4] == ':';
  std::vector<std::uint8_t> bytes;
  const char type = has_shape ? put_value(bytes, field[3], field.substr(5)) : '\0';
  if (type == 0) fail(record, field, "is no SAM tag like BC:Z:ACGT");
  const char tag[2] = {field[0], field[1]};
  if (reads::is_written_by_align(field.substr(0, 2))) return;
  const bool has_one = bam_aux_get(record, tag) != nullptr;
  if (has_one && field.starts_with("RG")) return;
  if (has_one) fail(record, field, "repeats a tag of its record");
  if (bam_aux_append(record, tag, type, static_cast<int>(bytes.size()), bytes.data()) != 0) throw std::bad_alloc();
}

}  // namespace

void append_tags(bam1_t* record, std::string_view fields) {
  while (!fields.empty()) {
    const std::uint64_t end = std::min(fields.find('\t'), fields.size());
    append_tag(record, fields.substr(0, end));
    fields.remove_prefix(std::min(end + 1, fields.size()));
  }
}

}  // namespace warpseed::records
