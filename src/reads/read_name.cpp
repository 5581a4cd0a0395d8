#include "reads/read_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quoted.hpp"
#include "reads/simd_bases.hpp"

namespace warpseed::reads {

HeaderParts parts_of_header(std::string_view header, MateNumbers mates) {
  std::size_t end = std::min(header.find(' '), header.size());
  end = std::min(header.substr(0, end).find('\t'), end);
  const std::string_view name = header.substr(1, end - 1);
  while (end < header.size() && (header[end] == ' ' || header[end] == '\t')) ++end;
  return {mates == MateNumbers::cut ? without_mate_number(name) : name, header.substr(end)};
}

bool is_read_name(std::string_view name) {
  return !name.empty() && name.front() != '@' && only_printable(name);
}

std::string name_problem(std::string_view name) {
  if (name.empty()) return "a read without a name; give it one";
  const auto bad = std::find_if(name.begin(), name.end(), [](char c) { return c < '!' || c > '~'; });
  if (bad != name.end()) return quoted(*bad) + " in a read's name; names are made of the letters '!' to '~'";
  if (name.front() == '@') return fmt::format("read '{}': SAM takes no name that begins with '@'; rename it", name);
  return {};
}

}  // namespace warpseed::reads
