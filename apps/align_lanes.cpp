#include "align_lanes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/quoted.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

/// Appends the files that `text` names, with commas between unless it is the name of one.
void add_files_of(const std::string& name, const std::string& text, std::vector<std::string>& files) {
  std::error_code ignored;
  if (text.find(',') == std::string::npos || std::filesystem::exists(text, ignored)) return files.push_back(text);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (begin == end)
      throw InputError(fmt::format("{} {}: a file's name is missing next to a comma", name, warpseed::quoted(text)));
    files.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::vector<std::string> files_of(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::string> files;
  for (const std::string& text : texts) add_files_of(name, text, files);
  return files;
}

std::vector<std::string> given(const std::string& path) {
  return path.empty() ? std::vector<std::string>{} : std::vector<std::string>{path};
}

void add_read_groups(AlignFlags& flags) {
  std::vector<std::string>& groups = flags.read_groups;
  for (std::string& group : groups) group = records::parse_read_group(group);
  if (groups.size() > 1 && groups.size() != flags.lanes.size()) {
    throw InputError(
        fmt::format("-R is given {} times, but the lanes are {}; give it once for all reads, or once for each "
                    "lane",
                    groups.size(), flags.lanes.size()));
  }
  for (std::size_t i = 0; i < flags.lanes.size(); ++i) {
    flags.lanes[i].input.with_read_groups = groups.empty();
    if (groups.size() > 1) flags.lanes[i].read_group = groups[i];
  }
}

}  // namespace

void complete_lanes(AlignFlags& flags) {
  const reads::ReadInput& input = flags.input;
  const bool by_flag = !flags.first_files.empty() || !flags.second_files.empty();
  if (by_flag && !input.path1.empty()) {
    throw InputError(
        fmt::format("{}: -1 and -2 name the files of reads instead of R1 and R2; give either", input.path1));
  }
  const std::string one = by_flag ? "-1" : "R1", two = by_flag ? "-2" : "R2";
  const std::vector<std::string> first = files_of(one, by_flag ? flags.first_files : given(input.path1));
  std::vector<std::string> second = files_of(two, by_flag ? flags.second_files : given(input.path2));
  if (first.empty())
    throw InputError(by_flag ? "-2 needs -1, the files of the first mates" : "R1 is required (see --help)");
  if (input.interleaved && !second.empty()) {  // as in bwa
    flags.notes.push_back(fmt::format("with -p {} holds both mates: {} is not read", one,
                                      warpseed::quoted(fmt::to_string(fmt::join(second, ",")))));
    second.clear();
  }
  if (!second.empty() && second.size() != first.size()) {
    throw InputError(fmt::format("{} files in {}, {} in {}: mates need equally many, in the same order", first.size(),
                                 one, second.size(), two));
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    flags.lanes.push_back({input, {}});
    flags.lanes.back().input.with_singles = true;
    flags.lanes.back().input.path1 = first[i];
    flags.lanes.back().input.path2 = second.empty() ? "" : second[i];
  }
  add_read_groups(flags);
}

std::vector<std::string> paths_of(const std::vector<reads::Lane>& lanes) {
  std::vector<std::string> paths;
  for (const reads::Lane& lane : lanes) {
    paths.push_back(lane.input.path1);
    if (!lane.input.path2.empty()) paths.push_back(lane.input.path2);
  }
  return paths;
}

std::string names_of(const std::vector<reads::Lane>& lanes) {
  std::string names = input_name(lanes.front().input.path1);
  if (lanes.size() > 1) names += fmt::format(" and {} other files or pairs of files", lanes.size() - 1);
  return names;
}

}  // namespace warpseed::cli
