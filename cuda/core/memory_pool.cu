#include "core/memory_pool.cuh"

#include <algorithm>
#include <stdexcept>

#include "core/check.cuh"
#include "core/device.cuh"
#include "core/entry.hpp"

namespace warpseed::cuda {

namespace {

/// Lets the pool keep up to `keep` bytes, because a job allocates and frees gigabytes a hundred times. No stream waits
/// for the memory of another one.
void set_up(cudaMemPool_t pool, std::uint64_t keep) {
  int wait_for_others = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "setting up a memory pool");
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &wait_for_others),
        "setting up a memory pool");
}

cudaMemPool_t create_pool(int device, std::uint64_t limit_bytes) {
  set_current_device(device);  // otherwise the runtime might initialise the thread's current device, another one
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  properties.maxSize = limit_bytes;
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "making a memory pool");
  set_up(pool, limit_bytes > 0 ? limit_bytes : UINT64_MAX);
  return pool;
}

std::uint64_t pool_bytes(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, which, &bytes), "asking a memory pool");
  return bytes;
}

}  // namespace

MemoryPool::MemoryPool(int device, std::uint64_t limit_bytes)
    : device_(device), limit_bytes_(limit_bytes), handle_(create_pool(device, limit_bytes)) {}

MemoryPool::~MemoryPool() {
  cudaMemPoolDestroy(handle_);
}

std::uint64_t MemoryPool::free_bytes() const {
  const std::uint64_t of_driver = driver_free_bytes(device_), used = used_bytes();
  const std::uint64_t unlimited = of_driver + pool_bytes(handle_, cudaMemPoolAttrReservedMemCurrent) - used;
  return limit_bytes_ == 0 ? unlimited : std::min(unlimited, limit_bytes_ - std::min(used, limit_bytes_));
}

std::uint64_t MemoryPool::available_bytes(std::uint64_t budget_bytes) const {
  const std::uint64_t free = free_bytes();
  if (budget_bytes == 0) return free;
  return std::min(free, budget_bytes - std::min(used_bytes(), budget_bytes));
}

std::uint64_t MemoryPool::used_bytes() const {
  return pool_bytes(handle_, cudaMemPoolAttrUsedMemCurrent);
}

std::uint64_t MemoryPool::peak_bytes() const {
  return pool_bytes(handle_, cudaMemPoolAttrUsedMemHigh);
}

void MemoryPool::trim() {
  check(cudaMemPoolTrimTo(handle_, 0), "giving back device memory");
}

void MemoryPool::require(std::uint64_t needed_bytes, std::string_view job) const {
  const std::uint64_t free = free_bytes();
  if (needed_bytes <= free) return;
  throw BackendError(std::string(job) + " needs about " + format_gib(needed_bytes, 2) + " of device memory, " +
                     format_gib(free, 2) + " are free; use --backend cpu");
}

std::string MemoryPool::out_of_memory_message(std::uint64_t wanted_bytes) const {
  const std::string found = std::to_string(wanted_bytes) + " bytes wanted, " + std::to_string(free_bytes());
  if (limit_bytes_ == 0) return "out of device memory: " + found + " free; use --backend cpu";
  return "out of the " + std::to_string(limit_bytes_) + " bytes of device memory that are allowed: " + found +
         " of these free; allow more with --memory, or use --backend cpu";
}

MemoryPool& DevicePools::of(int device) {
  const std::lock_guard lock(mutex_);
  return pools_.try_emplace(device, device, limit_bytes_).first->second;
}

std::uint64_t DevicePools::peak_bytes(int device) const {
  const std::lock_guard lock(mutex_);
  const auto found = pools_.find(device);
  return found == pools_.end() ? 0 : found->second.peak_bytes();
}

void DevicePools::trim() {
  const std::lock_guard lock(mutex_);
  for (auto& [device, pool] : pools_) pool.trim();
}

DevicePools& pools_of(const Backend& backend) {
  if (backend.pools) return *backend.pools;
  throw std::invalid_argument("a backend without device memory: a CUDA backend comes from choose_backend()");
}

std::shared_ptr<DevicePools> make_device_pools(std::uint64_t limit_bytes) {
  return std::make_shared<DevicePools>(limit_bytes);
}

std::uint64_t peak_device_bytes(const DevicePools& pools, int device) {
  return pools.peak_bytes(device);
}

}  // namespace warpseed::cuda
