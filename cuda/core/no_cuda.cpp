// cuda/core/entry.hpp in a build without CUDA: there is no device.
#include "core/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cuda {

int device_count() noexcept {
  return 0;
}

std::string why_unavailable() {
  return "this build has no CUDA support (configure with -DWS_CUDA=ON)";
}

std::string describe_device(int) {
  throw BackendError(why_unavailable());
}

int current_device() {
  return 0;
}

void set_current_device(int) {}

std::shared_ptr<DevicePools> make_device_pools(std::uint64_t) {
  return nullptr;
}

std::uint64_t peak_device_bytes(const DevicePools&, int) {
  return 0;
}

}  // namespace warpseed::cuda
