// The machine's memory, and a check before a job that cannot fit starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace warpseed {

/// Physical memory, or the cgroup's limit if that is lower.
std::uint64_t total_memory_bytes();

/// Memory available without swapping: the minimum of MemAvailable and what the cgroup and `ulimit -v` allow.
std::uint64_t available_memory_bytes();

/// What the limit of the cgroup (v2) with its files in `folder` allows, with the page cache counted as free; the
/// largest number if there is no limit.
std::uint64_t memory_left_in_cgroup(const std::filesystem::path& folder);

/// Peak memory of this process so far.
std::uint64_t peak_memory_bytes();

/// Throws IoError "JOB needs about 12.3 GiB of memory, 8.0 GiB are free; REMEDY" if `needed_bytes` are not free.
void require_memory(std::uint64_t needed_bytes, std::string_view job, std::string_view remedy);

}  // namespace warpseed
