// Numbers, CIGARs and tags as text and in BAM's packing, for host and device.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::records {

/// A name's bytes in front of a CIGAR in memory: with at least one NUL, a multiple of 4.
WS_HD constexpr std::uint64_t padded_name(std::uint64_t size) {
  return (size + 4) / 4 * 4;
}

/// Calls put(character) for each digit.
template <class Put>
WS_HD inline void put_decimal(std::uint32_t number, const Put& put) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0) put(digits[--count]);
}

/// "150M".
template <class Put>
WS_HD inline void put_cigar_element(CigarElement element, const Put& put) {
  put_decimal(cigar_length(element), put);
  put("MIDNSHP=XB"[static_cast<unsigned>(cigar_op(element))]);
}

WS_HD inline std::uint8_t* put_tag_head(const char (&name)[3], char type, std::uint8_t* out) {
  *out++ = static_cast<std::uint8_t>(name[0]);
  *out++ = static_cast<std::uint8_t>(name[1]);
  *out++ = static_cast<std::uint8_t>(type);
  return out;
}

/// An integer tag in the fewest bytes, at most 7; a negative value is omitted. Returns its end, as the other functions do.
WS_HD inline std::uint8_t* put_integer_tag(const char (&name)[3], std::int32_t value, std::uint8_t* out) {
  if (value < 0) return out;
  const auto number = static_cast<std::uint32_t>(value);
  const int bytes = number < 0x100 ? 1 : number < 0x10000 ? 2 : 4;
  out = put_tag_head(name, bytes == 1 ? 'C' : bytes == 2 ? 'S' : 'I', out);
  for (int i = 0; i < bytes; ++i) *out++ = static_cast<std::uint8_t>(number >> (8 * i));
  return out;
}

/// A string tag of the characters that text(put) puts, at least one.
template <class Text>
WS_HD inline std::uint8_t* put_text_tag(const char (&name)[3], const Text& text, std::uint8_t* out) {
  out = put_tag_head(name, 'Z', out);
  text([&](char character) { *out++ = static_cast<std::uint8_t>(character); });
  *out++ = 0;
  return out;
}

}  // namespace warpseed::records
