// The limits of the control groups (cgroups, v1 and v2) that this process is in: those of a container or a Slurm job.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace warpseed {

/// What the process's own group and all its parents allow; the strictest of them counts.
/// The default values mean: no limit.
struct ControlGroupLimits {
  std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t memory_left_bytes = std::numeric_limits<std::uint64_t>::max();  // page cache is counted as free
  double processors = std::numeric_limits<double>::infinity();                  // CPU time per time; may be a fraction
};

/// The groups are found by `root`/proc/self/cgroup and `root`/proc/self/mountinfo, and their files at the mount points
/// below `root`. Parents outside a container's mount are not visible and do not count. A file that is missing or that
/// cannot be read is no limit; never throws for what the files hold. Cost: some ten small files of the kernel.
ControlGroupLimits control_group_limits(const std::filesystem::path& root = "/");

}  // namespace warpseed
