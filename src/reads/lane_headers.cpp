#include "reads/lane_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/quoted.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

/// The begin and size of the value of a field; npos if there is none.
std::pair<std::size_t, std::size_t> place_of(std::string_view line, std::string_view key) {
  const std::size_t tab = line.find(fmt::format("\t{}:", key));
  if (tab == std::string_view::npos) return {tab, 0};
  const std::size_t begin = tab + key.size() + 2;
  return {begin, std::min(line.find('\t', begin), line.size()) - begin};
}

std::string value_of(const std::string& line, std::string_view key) {
  const auto [begin, size] = place_of(line, key);
  return begin == std::string::npos ? "" : line.substr(begin, size);
}

/// The line with another value of a field that it has.
std::string with_value(std::string line, std::string_view key, const std::string& value) {
  const auto [begin, size] = place_of(line, key);
  return begin == std::string::npos ? line : line.replace(begin, size, value);
}

}  // namespace

std::uint32_t LaneHeaders::add_read_group(const std::string& line, const std::string& name) {
  std::vector<std::string>& lines = header_.read_groups;
  const std::string id = records::read_group_id(line);
  const auto [known, added] = groups_.try_emplace(id, Group{static_cast<std::uint32_t>(lines.size() + 1), name});
  const Group& group = known->second;
  if (added) {
    lines.push_back(line);
  } else if (lines[group.number - 1] != line) {
    throw InputError(
        fmt::format("{}: its read group {} is not that of {}, which has the same ID; give each its own ID, "
                    "or all lanes one group with -R",
                    name, quoted(line), group.file));
  }
  return group.number;
}

std::map<std::string, std::string> LaneHeaders::new_program_ids(const std::vector<std::string>& lines) const {
  std::map<std::string, std::string> renamed;
  std::set<std::string> taken;
  for (const std::string& line : lines) taken.insert(value_of(line, "ID"));
  const auto is_known = [&](const std::string& id, const std::string& line) {
    const auto known = programs_.find(id);
    return known != programs_.end() && known->second == line && !renamed.contains(value_of(line, "PP"));
  };
  for (bool again = true; again;) {  // what follows a program with a new ID gets one, too
    again = false;
    for (const std::string& line : lines) {
      const std::string id = value_of(line, "ID");
      if (renamed.contains(id) || !programs_.contains(id) || is_known(id, line)) continue;
      std::string free = id;
      for (int number = 1; taken.contains(free) || (programs_.contains(free) && !is_known(free, line)); ++number)
        free = fmt::format("{}.{}", id, number);
      taken.insert(free);
      renamed[id] = free;
      again = true;
    }
  }
  return renamed;
}

void LaneHeaders::add_programs(const std::vector<std::string>& lines) {
  const std::map<std::string, std::string> renamed = new_program_ids(lines);
  const auto now = [&renamed](const std::string& id) {
    const auto found = renamed.find(id);
    return found == renamed.end() ? id : found->second;
  };
  for (const std::string& line : lines) {
    const std::string id = now(value_of(line, "ID"));
    if (!programs_.try_emplace(id, line).second) continue;  // an earlier file has the same line
    header_.programs.push_back(with_value(with_value(line, "ID", id), "PP", now(value_of(line, "PP"))));
  }
}

void LaneHeaders::add_comments(const std::vector<std::string>& lines) {
  std::vector<std::string>& all = header_.comments;
  for (const std::string& line : lines) {
    if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
  }
}

}  // namespace warpseed::reads
