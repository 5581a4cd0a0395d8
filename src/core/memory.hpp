// What memory the machine has, and a plain refusal before a job that cannot fit starts.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed {

/// Physical memory, or the cgroup's limit where that is lower.
std::uint64_t total_memory_bytes();

/// What can be taken without swapping: MemAvailable, or what the cgroup leaves, whichever is lower.
std::uint64_t available_memory_bytes();

/// The most memory this process has had so far.
std::uint64_t peak_memory_bytes();

/// Throws IoError "JOB needs about 12.3 GiB of memory, 8.0 GiB are free; REMEDY" when `needed` is more than is free.
void require_memory(std::uint64_t needed_bytes, std::string_view job, std::string_view remedy);

}  // namespace warpseed
