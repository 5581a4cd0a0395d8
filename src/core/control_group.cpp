#include "core/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpseed {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A mounted hierarchy of control groups.
struct Hierarchy {
  bool v2 = false;
  std::string controllers;  // v1: the mount's options, among them its controllers; v2 has all in one hierarchy
  std::string group;        // the group that the mount point shows: not "/" in some containers
  fs::path mount_point;
};

/// Whether `list`, separated by commas, contains `word`.
bool contains(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// mountinfo writes a space, tab, line end and backslash as an octal number: \040.
std::string without_escapes(const std::string& text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// Of a line "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup rw" (proc(5)).
std::optional<Hierarchy> hierarchy_of(const std::string& line) {
  std::istringstream words(line);
  std::string word, group, mount_point, type, source, options;
  words >> word >> word >> word >> group >> mount_point;
  while (words >> word && word != "-") {
  }
  if (!(words >> type >> source >> options) || (type != "cgroup" && type != "cgroup2")) return {};
  return Hierarchy{type == "cgroup2", options, without_escapes(group), without_escapes(mount_point)};
}

std::vector<Hierarchy> mounted_hierarchies(const fs::path& root) {
  std::ifstream in(root / "proc/self/mountinfo");
  std::vector<Hierarchy> found;
  for (std::string line; std::getline(in, line);) {
    if (auto hierarchy = hierarchy_of(line)) found.push_back(std::move(*hierarchy));
  }
  return found;
}

/// The group of the process, "/user.slice/job"; none if it is in no group of that kind. Lines: "4:cpu,cpuacct:/job",
/// for v2 "0::/job".
std::optional<std::string> own_group(const fs::path& root, const Hierarchy& hierarchy, std::string_view controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    if (hierarchy.v2 ? controllers.empty() : contains(controllers, controller)) return line.substr(second + 1);
  }
  return {};
}

/// The path of `group` below the group that the mount point shows. Empty, the mount point itself, if it is not below:
/// in a container the path can be one of the host.
fs::path below_mount(const Hierarchy& hierarchy, const std::string& group) {
  const fs::path relative = fs::path(group).lexically_relative(hierarchy.group);
  return relative.empty() || *relative.begin() == ".." || relative == "." ? fs::path() : relative;
}

/// The folders of the process's group and of its parents up to the mount point, of every hierarchy for `controller`.
/// Calls visit(folder, whether it is v2).
template <class Visit>
void for_each_group(const fs::path& root, std::string_view controller, Visit visit) {
  for (const Hierarchy& hierarchy : mounted_hierarchies(root)) {
    if (!hierarchy.v2 && !contains(hierarchy.controllers, controller)) continue;
    const std::optional<std::string> group = own_group(root, hierarchy, controller);
    if (!group) continue;
    const fs::path top = root / hierarchy.mount_point.relative_path();
    for (fs::path below = below_mount(hierarchy, *group); !below.empty(); below = below.parent_path()) {
      visit(top / below, hierarchy.v2);
    }
    visit(top, hierarchy.v2);
  }
}

/// `unlimited` if the file is missing or has no number ("max").
std::uint64_t number_in(const fs::path& path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  return in >> value ? value : unlimited;
}

/// The page cache, which the system can reclaim; without tmpfs. v1 has the sum over a group and its children under
/// names of their own, v2 has nothing else.
std::uint64_t file_cache_bytes(const fs::path& stat_path, bool v2) {
  const std::string prefix = v2 ? "" : "total_";
  std::ifstream in(stat_path);
  std::string name;
  std::uint64_t value = 0, sum = 0;
  while (in >> name >> value) {
    if (name == prefix + "active_file" || name == prefix + "inactive_file") sum += value;
  }
  return sum;
}

void limit_memory(const fs::path& folder, bool v2, ControlGroupLimits& limits) {
  const std::uint64_t limit = number_in(folder / (v2 ? "memory.max" : "memory.limit_in_bytes"));
  const std::uint64_t current = number_in(folder / (v2 ? "memory.current" : "memory.usage_in_bytes"));
  // v1 writes "no limit" as the largest number of pages
  if (limit >= std::uint64_t{1} << 62) return;
  limits.memory_bytes = std::min(limits.memory_bytes, limit);
  if (current == unlimited) return;
  const std::uint64_t used = current - std::min(current, file_cache_bytes(folder / "memory.stat", v2));
  limits.memory_left_bytes = std::min(limits.memory_left_bytes, limit - std::min(limit, used));
}

void limit_processors(const fs::path& folder, bool v2, ControlGroupLimits& limits) {
  std::ifstream quota_file(folder / (v2 ? "cpu.max" : "cpu.cfs_quota_us"));
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  double quota = -1, period = 0;  // v1 writes "no quota" as -1, v2 as "max"
  quota_file >> quota;
  (v2 ? quota_file : period_file) >> period;
  if (quota > 0 && period > 0) limits.processors = std::min(limits.processors, quota / period);
}

}  // namespace

ControlGroupLimits control_group_limits(const fs::path& root) {
  ControlGroupLimits limits;
  for_each_group(root, "memory", [&](const fs::path& folder, bool v2) { limit_memory(folder, v2, limits); });
  for_each_group(root, "cpu", [&](const fs::path& folder, bool v2) { limit_processors(folder, v2, limits); });
  return limits;
}

}  // namespace warpseed
