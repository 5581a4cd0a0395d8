// Searches with mismatches whose patterns and ends stay on the device: the cost for a program that has its patterns there.
#pragma once

#include <cstdint>
#include <memory>

#include "approximate/end_search.hpp"
#include "approximate/pattern_batch.hpp"
#include "core/backend.hpp"

namespace warpseed::cuda {

/// Owns an index and one batch of patterns on a device.
/// Threads: not thread-safe.
class ResidentSearch {
 public:
  /// Copies the index and the text to the device. Throws BackendError if they do not fit.
  ResidentSearch(const approximate::Target& target, const Backend& backend);
  ~ResidentSearch();

  /// Copies a batch that was prepared for mismatches to the device.
  void load(const approximate::StrandBatch& batch);

  /// Finds all ends with at most so many mismatches, sorted by pattern and position; returns the seconds.
  double find(unsigned mismatches);

  /// Those that the last find() left on the device. Throws std::runtime_error if they did not fit there.
  std::uint64_t ends() const;

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace warpseed::cuda
