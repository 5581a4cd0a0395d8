// Optional fields in BAM's packing: two-character name, type, value.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpseed::reads {

/// Tags that `align` writes itself and does not copy from its input: NM MD MC MQ AS XS SA pa XA cs ds.
bool is_written_by_align(std::string_view tag);

/// Bytes of the first packed field, including its name and type; 0 if it is malformed or truncated.
std::size_t packed_tag_size(std::string_view fields);

/// Which bases of a read a record shows, and their orientation.
struct ShownBases {
  std::size_t begin = 0, size = 0;  // before they are reversed
  std::size_t of = 0;               // the read's length
  bool reversed = false;
};

/// Trims and reverses the tags that have one character per base as SEQ is: the original qualities and second-best
/// calls, OQ U2 E2; E2 is complemented as well. If no bases are shown these tags are removed; one whose length is not
/// the read's stays unchanged. Works in place; returns the new size. Throws std::invalid_argument for malformed fields.
std::size_t trim_packed_tags(char* fields, std::size_t size, const ShownBases& shown);

}  // namespace warpseed::reads
