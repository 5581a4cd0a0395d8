// Checks of read names.
#pragma once

#include <string>
#include <string_view>

namespace warpseed::reads {

/// The name without a mate's /1 or /2, unless nothing would remain.
inline std::string_view without_mate_number(std::string_view name) {
  if (name.size() > 2 && (name.ends_with("/1") || name.ends_with("/2"))) name.remove_suffix(2);
  return name;
}

/// Why SAM does not allow this read name, and the remedy; empty if it does. Does not check the length.
std::string name_problem(std::string_view name);

}  // namespace warpseed::reads
