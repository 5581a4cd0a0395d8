// Names of reads, in the first line of a record.
#pragma once

#include <string>
#include <string_view>

namespace warpseed::reads {

/// Whether the /1 or /2 at the end of a name is cut off.
enum class MateNumbers { cut, kept };

/// The name without a mate's /1 or /2, unless nothing would remain.
inline std::string_view without_mate_number(std::string_view name) {
  if (name.size() > 2 && (name.ends_with("/1") || name.ends_with("/2"))) name.remove_suffix(2);
  return name;
}

struct HeaderParts {
  std::string_view name, comment;
};

/// The name is the part between the '@' or '>' and the first space or tab, the comment what follows these.
HeaderParts parts_of_header(std::string_view header, MateNumbers mates);

/// Does SAM allow this read name? Does not check the length.
bool is_read_name(std::string_view name);

/// Why SAM does not allow this read name, and the remedy; empty if it does. Does not check the length.
std::string name_problem(std::string_view name);

}  // namespace warpseed::reads
