// Counts of many short patterns on the device: the cost for a program with its queries there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "index/fm_core.hpp"

namespace warpseed::cuda {

/// Owns an index and one set of patterns on a device.
/// Threads: not thread-safe.
class PackedCounter {
 public:
  /// Copies the index to the device. Throws BackendError if it does not fit.
  PackedCounter(const index::FmView& fm, const Backend& backend);
  ~PackedCounter();

  /// Copies `patterns` to the device, of `length` bases each, 1 to 32, the last one in the lowest two bits.
  void load(std::span<const std::uint64_t> patterns, unsigned length);

  /// Counts the occurrences of every pattern; returns device time in seconds.
  double count();

  /// The results of the last count(). [patterns]
  std::vector<std::uint32_t> counts() const;

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace warpseed::cuda
