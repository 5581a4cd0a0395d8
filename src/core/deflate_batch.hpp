// Deflates many blocks at a time on a device. The streams are those of DeflateEncoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/backend.hpp"
#include "core/deflate_tokens.hpp"

namespace warpseed {

/// A block in a batch's room.
struct BatchBlock {
  std::uint64_t begin;                     // a multiple of DeflateBatch::alignment
  std::uint32_t size;                      // at most deflate::max_block
  std::span<const deflate::Field> fields;  // as of DeflateEncoder::encode()
};

/// One batch at a time: room() is filled, start() begins to deflate, wait() ends it. Threads: one caller at a time.
class DeflateBatch {
 public:
  static constexpr std::uint64_t alignment = 64;

  /// Where the next block may begin, or the room end, after a block that ends at `end`. start() clears what is between,
  /// since comparisons, and loads of aligned words around them, read beyond a block.
  static constexpr std::uint64_t after(std::uint64_t end) {
    constexpr std::uint64_t beyond = deflate::compared_bytes + 2 * sizeof(std::uint64_t);
    return (end + beyond + alignment - 1) / alignment * alignment;
  }

  virtual ~DeflateBatch() = default;

  /// Memory for the blocks of a batch: after() the end of the last one. Its former contents are lost.
  virtual char* room(std::uint64_t bytes) = 0;

  /// Starts to deflate the blocks, which follow each other in the room. False if the device has little free memory: then
  /// nothing was started. Throws std::invalid_argument for fields that do not fit their block, BackendError.
  virtual bool start(std::span<const BatchBlock> blocks) = 0;

  /// Waits until all blocks of the last start() are deflated. Throws BackendError.
  virtual void wait() = 0;

  /// The stream of a block; empty if a stored one is shorter. Valid until the next start().
  virtual std::span<const std::byte> packed(std::size_t block) const = 0;

  /// The CRC-32 of a block's bytes. Valid like packed().
  virtual std::uint32_t checksum(std::size_t block) const = 0;
};

/// The backend is CUDA. Nothing is allocated yet. Throws BackendError.
std::unique_ptr<DeflateBatch> make_deflate_batch(const Backend& backend);

}  // namespace warpseed
