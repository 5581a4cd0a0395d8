// What a device has: multiprocessors, free memory.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed::cuda {

/// The number of multiprocessors of a device. A kernel whose warps take the next job needs as many warps as can run at
/// a time, and no more.
std::uint64_t multiprocessors(int device);

/// The memory of a device that no process has taken. The thread's current device does not change. Throws BackendError.
std::uint64_t driver_free_bytes(int device);

/// "12.3 GiB".
std::string format_gib(std::uint64_t bytes, int digits);

}  // namespace warpseed::cuda
