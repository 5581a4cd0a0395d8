#include "core/device.cuh"

#include <algorithm>
#include <cstdio>
#include <string>

#include "core/background_thread.hpp"
#include "core/check.cuh"
#include "core/entry.hpp"

namespace warpseed::cuda {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// The lowest compute capability that this build has code for; 80 means 8.0.
int lowest_capability() {
  constexpr int built_for[] = {__CUDA_ARCH_LIST__};  // 800, 900
  return *std::min_element(std::begin(built_for), std::end(built_for)) / 10;
}

int capability(int device) {
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for a device's kind");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "asking for a device's kind");
  return 10 * major + minor;
}

std::string as_version(int tens) {
  return std::to_string(tens / 10) + '.' + std::to_string(tens % 10);
}

}  // namespace

int device_count() noexcept {
  try {
    int devices = 0, usable = 0;
    check(cudaGetDeviceCount(&devices), "counting devices");
    while (usable < devices && capability(usable) >= lowest_capability()) ++usable;
    return usable;
  } catch (const std::exception&) {
    return 0;
  }
}

std::string why_unavailable() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    cudaGetLastError();
    return std::string("CUDA says: ") + cudaGetErrorString(status);
  }
  if (devices == 0) return "CUDA finds no device";
  if (capability(0) >= lowest_capability()) return "CUDA failed when devices were counted, and answers now; try again";
  return "cuda:0 has compute capability " + as_version(capability(0)) + ", this build needs " +
         as_version(lowest_capability()) + " or newer";
}

std::string describe_device(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "asking for a device's name");
  return "cuda:" + std::to_string(device) + "  " + properties.name + ", compute capability " +
         as_version(capability(device)) + ", " + format_gib(properties.totalGlobalMem, 1) + " (" +
         format_gib(driver_free_bytes(device), 1) + " free)";
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  return device;
}

void set_current_device(int device) {
  check(cudaSetDevice(device), "choosing a device");
}

std::uint64_t multiprocessors(int device) {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "asking for a device's size");
  return static_cast<std::uint64_t>(count);
}

std::uint64_t driver_free_bytes(int device) {
  const auto ask = [device] {
    set_current_device(device);
    std::size_t free_bytes = 0, total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free device memory");
    return std::uint64_t{free_bytes};
  };
  if (current_device() == device) return ask();
  // In a thread of its own: making this thread's current device current again would initialise it, if it is not yet.
  return BackgroundThread<std::uint64_t>(ask).get();
}

std::string format_gib(std::uint64_t bytes, int digits) {
  char text[32];  // nvcc does not take fmt's headers
  std::snprintf(text, sizeof text, "%.*f GiB", digits, static_cast<double>(bytes) / gib);
  return text;
}

}  // namespace warpseed::cuda
