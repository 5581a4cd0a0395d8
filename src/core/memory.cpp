#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "core/control_group.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t meminfo_bytes(std::string_view field) {
  std::ifstream in("/proc/meminfo");
  std::string name, unit;
  std::uint64_t kib = 0;
  while (in >> name >> kib >> unit) {
    if (name == field) return kib * 1024;
  }
  return unlimited;
}

/// Address space that `ulimit -v` still allows.
std::uint64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::ifstream in("/proc/self/statm");
  std::uint64_t pages = 0;
  in >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::uint64_t total_memory_bytes() {
  return std::min(meminfo_bytes("MemTotal:"), control_group_limits().memory_bytes);
}

std::uint64_t available_memory_bytes() {
  return std::min({meminfo_bytes("MemAvailable:"), control_group_limits().memory_left_bytes, address_space_left()});
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void require_memory(std::uint64_t needed_bytes, std::string_view job, std::string_view remedy) {
  const std::uint64_t free_bytes = available_memory_bytes();
  if (needed_bytes <= free_bytes) return;
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  throw IoError(fmt::format("{} needs about {:.2f} GiB of memory, {:.2f} GiB are free; {}", job,
                            static_cast<double>(needed_bytes) / gib, static_cast<double>(free_bytes) / gib, remedy));
}

}  // namespace warpseed
