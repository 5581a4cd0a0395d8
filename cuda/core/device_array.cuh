// Device memory that is handed to users of the library.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/buffer.cuh"
#include "warpseed/device_arrays.hpp"

namespace warpseed::cuda {

/// A stream, and a buffer of it that outlives the work: what a DeviceArray owns.
template <class T>
struct OwnedArray {
  Stream stream;
  Buffer<T> buffer;

  explicit OwnedArray(const Backend& backend) : stream(backend) {}

  /// The elements from `skipped` on. All work on them must be done.
  static DeviceArray<T> give(std::shared_ptr<OwnedArray> owned, std::uint64_t skipped = 0) {
    T* const first = owned->buffer.size() == 0 ? nullptr : owned->buffer.data() + skipped;
    return {std::shared_ptr<T>(owned, first), owned->buffer.size() - skipped, owned->stream.device()};
  }
};

}  // namespace warpseed::cuda
