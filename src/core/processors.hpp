// How many CPUs this process may use.
#pragma once

#include <filesystem>

namespace warpseed {

/// The CPUs of the calling thread's affinity mask, but no more than the CPU quota of its control groups, rounded up; at
/// least 1. What `-t` and "all threads" mean: a job of 4 CPUs on a machine of 128 gets 4.
/// `root`: see control_group_limits().
int usable_processors(const std::filesystem::path& root = "/");

}  // namespace warpseed
