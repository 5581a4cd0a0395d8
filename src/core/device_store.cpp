#include "core/device_store.hpp"

#include "core/entry.hpp"

namespace warpseed {

std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes) {
  return backend.kind == BackendKind::cpu ? nullptr : cuda::make_device_store(backend, most_bytes);
}

}  // namespace warpseed
