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
  static constexpr std::size_t page_bytes = 4 << 20;

  /// Memory of page_bytes that devices copy from without the host's help. Must not outlive its store.
  class Page {
   public:
    virtual ~Page() = default;
    virtual std::span<std::byte> bytes() = 0;
  };

  /// Memory that devices copy to without the host's help, to be used again. Must not outlive its store.
  class Memory {
   public:
    virtual ~Memory() = default;

    /// So many bytes; what was there before is lost.
    virtual std::span<std::byte> room(std::size_t bytes) = 0;
  };

  /// Bytes that were appended, from an address on, and where they go: sooner where it is in a Memory.
  struct Piece {
    std::uint64_t address;
    std::span<std::byte> to;
  };

  /// Pieces that are being read. Must not outlive its store, nor the memory they go to.
  class Reading {
   public:
    virtual ~Reading() = default;

    /// Returns when all pieces are there. Throws BackendError.
    virtual void finish() = 0;
  };

  virtual ~DeviceStore() = default;

  /// To be filled and appended. Throws BackendError.
  virtual std::unique_ptr<Page> new_page() = 0;

  /// Copies the first bytes of a page of this store to a device, in the background. Returns their address; what is appended
  /// next may have the next ones, or not. None if the devices have no room left. Throws BackendError.
  virtual std::optional<std::uint64_t> append(std::unique_ptr<Page> page, std::size_t bytes) = 0;

  /// Waits until all that was appended is there. Must come before read(). Throws BackendError.
  virtual void wait() = 0;

  virtual std::unique_ptr<Memory> new_memory() = 0;

  /// Begins to read, in the background where pieces go to a Memory. Throws BackendError.
  virtual std::unique_ptr<Reading> read(std::span<const Piece> pieces) = 0;
};

/// On all devices of the backend, at most most_bytes on each, and only what leaves much of its memory to other work.
/// Null for the CPU. Takes no memory yet. Throws BackendError.
std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes);

}  // namespace warpseed
