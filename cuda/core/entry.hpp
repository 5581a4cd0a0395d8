// The CUDA functions that src/core calls: which devices exist.
// Built with CUDA, cuda/core/device.cu defines it; built without, cuda/core/no_cuda.cpp does. No caller needs an
// #ifdef.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed::cuda {

/// Usable devices: 0 without a GPU, without a driver, or in a build without CUDA. Never throws.
int device_count() noexcept;

/// The reason why device_count() is 0, for the user, such as "this build has no CUDA support".
std::string why_unavailable();

/// The calling thread's current device.
int current_device();
void set_current_device(int device);

/// The peak memory of all buffers on a device.
std::uint64_t peak_device_bytes(int device);

/// One line about a device: name, compute capability, memory.
std::string describe_device(int device);

}  // namespace warpseed::cuda
