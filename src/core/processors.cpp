#include "core/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <thread>
#include <vector>

#include "core/control_group.hpp"

namespace warpseed {

namespace {

/// CPUs of the affinity mask; all hardware threads if it cannot be read.
int processors_of_mask() {
  // the kernel rejects a mask with fewer bits than it has CPUs; 1024 are not enough for every machine
  for (std::size_t words = 1; words <= 64; words *= 2) {
    std::vector<cpu_set_t> mask(words);
    const std::size_t bytes = words * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) return CPU_COUNT_S(bytes, mask.data());
    if (errno != EINVAL) break;
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int usable_processors(const std::filesystem::path& root) {
  const int allowed = std::max(1, processors_of_mask());
  const double quota = std::ceil(control_group_limits(root).processors);
  return quota < allowed ? std::max(1, static_cast<int>(quota)) : allowed;
}

}  // namespace warpseed
