// Bytes in the free memory of devices, for which the host has no room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/backend.hpp"

namespace warpseed {

/// What is appended stays as long as the store. Threads: any.
class DeviceStore {
 public:
  static constexpr std::size_t most_appended = 4 << 20;  // bytes

  virtual ~DeviceStore() = default;

  /// Copies bytes, at most most_appended, to a device. Returns their address; what is appended next may have the next
  /// ones, or not. None if the devices have no room left. Throws BackendError.
  virtual std::optional<std::uint64_t> append(std::span<const std::byte> bytes) = 0;

  /// Waits until all that was appended is there. Must come before read(). Throws BackendError.
  virtual void wait() = 0;

  /// Copies bytes of consecutive addresses. Throws BackendError.
  virtual void read(std::uint64_t from, std::span<std::byte> to) = 0;
};

/// On all devices of the backend, at most most_bytes on each, and only what leaves much of its memory to other work.
/// Null for the CPU. Takes no memory yet. Throws BackendError.
std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes);

}  // namespace warpseed
