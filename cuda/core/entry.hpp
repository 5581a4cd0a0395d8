// What src/core may call in the CUDA path: which devices there are.
// Built with CUDA, cuda/core/device.cu defines it; built without, cuda/core/no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed::cuda {

/// Usable devices: 0 without a GPU, without a driver, or in a build without CUDA. Never throws.
int device_count() noexcept;

/// Why device_count() is 0, in words for the user: "this build has no CUDA support".
std::string why_unavailable();

/// The most memory that buffers on a device have taken at a time.
std::uint64_t peak_device_bytes(int device);

/// One line about a device: name, compute capability, memory.
std::string describe_device(int device);

}  // namespace warpseed::cuda
