// Optional fields of records as BAM packs them: two letters, a type, the value.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpseed::reads {

/// Tags that `align` writes itself, and that are not carried over from its input: NM MD MC MQ AS XS SA pa XA.
bool is_written_by_align(std::string_view tag);

/// Bytes of the first of some packed fields, its letters and type included; 0 if it is malformed or cut short.
std::size_t packed_tag_size(std::string_view fields);

/// Which of a read's letters a record shows, and how.
struct ShownLetters {
  std::size_t begin = 0, size = 0;  // before they are turned
  std::size_t of = 0;               // the read's length
  bool reversed = false;
};

/// Cuts and turns what goes with a record's SEQ as SEQ is: the original qualities and second-best calls, OQ U2 E2, which
/// have a letter a base; E2 is complemented as well. Where no letters are shown they are left out, and one that is not
/// as long as the read stays as it is. Works in place; returns the size after it. Throws std::invalid_argument for fields
/// that are malformed.
std::size_t show_packed_tags(char* fields, std::size_t size, const ShownLetters& shown);

}  // namespace warpseed::reads
