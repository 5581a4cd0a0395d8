// What memory the machine has, and a plain refusal before a job that cannot fit starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace warpseed {

/// Physical memory, or the cgroup's limit where that is lower.
std::uint64_t total_memory_bytes();

/// What can be taken without swapping: MemAvailable, or what the cgroup or `ulimit -v` leaves, whichever is lowest.
std::uint64_t available_memory_bytes();

/// What the limit of the cgroup (v2) whose files are in `folder` leaves, pages of files counted as free; the largest
/// number where there is no limit.
std::uint64_t memory_left_in_cgroup(const std::filesystem::path& folder);

/// The most memory this process has had so far.
std::uint64_t peak_memory_bytes();

/// Throws IoError "JOB needs about 12.3 GiB of memory, 8.0 GiB are free; REMEDY" when `needed` is more than is free.
void require_memory(std::uint64_t needed_bytes, std::string_view job, std::string_view remedy);

}  // namespace warpseed
