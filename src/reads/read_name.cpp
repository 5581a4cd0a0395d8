#include "reads/read_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quoted.hpp"

namespace warpseed::reads {

std::string name_problem(std::string_view name) {
  if (name.empty()) return "a read without a name; give it one";
  const auto bad = std::find_if(name.begin(), name.end(), [](char c) { return c < '!' || c > '~'; });
  if (bad != name.end()) return quoted(*bad) + " in a read's name; names are made of the letters '!' to '~'";
  if (name.front() == '@') return fmt::format("read '{}': SAM takes no name that begins with '@'; rename it", name);
  return {};
}

}  // namespace warpseed::reads
