// The suffix array of a text, in as much device memory as is allowed.
#pragma once

#include <cstdint>
#include <functional>

#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"
#include "suffix/suffix_array.hpp"

namespace warpseed::suffix::cuda {

/// Takes the suffix array in ascending order of rows: rows [first_row, first_row + suffixes.size()), all of them at
/// once or in parts. It may queue work on `suffixes` and take their memory over.
template <class Pos>
using RowsSink = std::function<void(std::uint64_t first_row, Buffer<Pos>& suffixes)>;

/// How to sort, and in how much memory.
struct SortRequest {
  SortOptions options;
  std::uint64_t reserved_bytes = 0;  // of the device memory allowed, what the sink takes from its first call on

  /// What the job may still take.
  std::uint64_t available_bytes() const { return available_device_bytes(options.device_bytes); }
};

/// Sorts a text's suffixes and hands them to `sink`: at once by the sorter asked for; when that is `automatic`, in parts
/// if the memory does not suffice or Pos is 64 bits wide. The rows are the same either way.
///
/// segments: of a genome, 1 for bytes.
/// Throws BackendError, saying how much it takes, if the memory does not suffice.
template <class Pos>
void sort_rows(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const Stream& stream,
               const StageDone& done, const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix::cuda
