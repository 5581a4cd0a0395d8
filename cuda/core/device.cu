#include "core/device.cuh"

#include <algorithm>
#include <cstdio>
#include <string>

#include "core/check.cuh"
#include "core/entry.hpp"

namespace warpseed::cuda {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// "12.3 GiB". (nvcc does not take fmt's headers.)
std::string format_gib(std::uint64_t bytes, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f GiB", digits, static_cast<double>(bytes) / gib);
  return text;
}

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

cudaMemPool_t pool_of(int device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetMemPool(&pool, device), "finding the device's memory pool");
  return pool;
}

cudaMemPool_t default_pool_of(int device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "finding the device's memory pool");
  return pool;
}

/// Lets the pool keep up to `keep` bytes, because a job allocates and frees gigabytes a hundred times. No stream waits
/// for the memory of another one.
void set_up(cudaMemPool_t pool, std::uint64_t keep) {
  int wait_for_others = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "setting up a device's memory pool");
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &wait_for_others),
        "setting up a device's memory pool");
}

std::uint64_t pool_bytes(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, which, &bytes), "asking the device's memory pool");
  return bytes;
}

/// The bytes that a MemoryLimit allows, which are the release threshold of its pool; UINT64_MAX without a limit.
std::uint64_t allowed_bytes(int device) {
  const cudaMemPool_t pool = pool_of(device);
  return pool == default_pool_of(device) ? UINT64_MAX : pool_bytes(pool, cudaMemPoolAttrReleaseThreshold);
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  return device;
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
  return "cuda:0 has compute capability " + as_version(capability(0)) + ", this build needs " +
         as_version(lowest_capability()) + " or newer";
}

std::string describe_device(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "asking for a device's name");
  select(device);
  return "cuda:" + std::to_string(device) + "  " + properties.name + ", compute capability " +
         as_version(capability(device)) + ", " + format_gib(properties.totalGlobalMem, 1) + " (" +
         format_gib(free_device_bytes(), 1) + " free)";
}

void select(int device) {
  check(cudaSetDevice(device), "choosing a device");
  set_up(default_pool_of(device), UINT64_MAX);
}

std::uint64_t multiprocessors(int device) {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "asking for a device's size");
  return static_cast<std::uint64_t>(count);
}

MemoryLimit::MemoryLimit(int device, std::uint64_t bytes) : device_(device) {
  if (bytes == 0) return;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  properties.maxSize = bytes;
  check(cudaMemPoolCreate(&pool_, &properties), "making a memory pool");
  set_up(pool_, bytes);
  check(cudaDeviceSetMemPool(device, pool_), "limiting a device's memory");
}

MemoryLimit::~MemoryLimit() {
  if (!pool_) return;
  cudaMemPool_t usual = nullptr;
  if (cudaDeviceGetDefaultMemPool(&usual, device_) == cudaSuccess) cudaDeviceSetMemPool(device_, usual);
  cudaMemPoolDestroy(pool_);
}

void trim_memory_pool(int device) {
  check(cudaMemPoolTrimTo(pool_of(device), 0), "giving back device memory");
}

std::uint64_t free_device_bytes() {
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free device memory");
  const int device = current_device();
  const cudaMemPool_t pool = pool_of(device);
  const std::uint64_t used = pool_bytes(pool, cudaMemPoolAttrUsedMemCurrent), allowed = allowed_bytes(device);
  return std::min(free_bytes + pool_bytes(pool, cudaMemPoolAttrReservedMemCurrent) - used,
                  allowed - std::min(used, allowed));
}

std::string out_of_memory_message(std::uint64_t wanted_bytes) {
  const std::uint64_t allowed = allowed_bytes(current_device());
  const std::string found = std::to_string(wanted_bytes) + " bytes wanted, " + std::to_string(free_device_bytes());
  if (allowed == UINT64_MAX) return "out of device memory: " + found + " free; use --backend cpu";
  return "out of the " + std::to_string(allowed) + " bytes of device memory that are allowed: " + found +
         " of these free; allow more with --memory, or use --backend cpu";
}

std::uint64_t available_device_bytes(std::uint64_t budget_bytes) {
  const std::uint64_t free_bytes = free_device_bytes();
  if (budget_bytes == 0) return free_bytes;
  const std::uint64_t used = pool_bytes(pool_of(current_device()), cudaMemPoolAttrUsedMemCurrent);
  return std::min(free_bytes, budget_bytes - std::min(used, budget_bytes));
}

std::uint64_t peak_device_bytes(int device) {
  return pool_bytes(pool_of(device), cudaMemPoolAttrUsedMemHigh);
}

void require_device_memory(std::uint64_t needed_bytes, std::string_view job) {
  const std::uint64_t free_bytes = free_device_bytes();
  if (needed_bytes <= free_bytes) return;
  throw BackendError(std::string(job) + " needs about " + format_gib(needed_bytes, 2) + " of device memory, " +
                     format_gib(free_bytes, 2) + " are free; use --backend cpu");
}

}  // namespace warpseed::cuda
