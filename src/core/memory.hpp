// The machine's memory, and a check before a job that cannot fit starts.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed {

/// Physical memory, or the limit of the process's control groups if that is lower: of a container or a Slurm job.
std::uint64_t total_memory_bytes();

/// Memory available without swapping: the minimum of MemAvailable and what the control groups and `ulimit -v` allow.
std::uint64_t available_memory_bytes();

/// Peak memory of this process so far.
std::uint64_t peak_memory_bytes();

/// Throws IoError "JOB needs about 12.3 GiB of memory, 8.0 GiB are free; REMEDY" if `needed_bytes` are not free.
void require_memory(std::uint64_t needed_bytes, std::string_view job, std::string_view remedy);

}  // namespace warpseed
