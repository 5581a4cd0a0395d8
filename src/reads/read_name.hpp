// What a read may be called.
#pragma once

#include <string>
#include <string_view>

namespace warpseed::reads {

/// Without a mate's /1 or /2, where a name is left.
inline std::string_view without_mate_number(std::string_view name) {
  if (name.size() > 2 && (name.ends_with("/1") || name.ends_with("/2"))) name.remove_suffix(2);
  return name;
}

/// Why SAM takes no read of that name, and the remedy; empty if it does (its length is not looked at).
std::string name_problem(std::string_view name);

}  // namespace warpseed::reads
