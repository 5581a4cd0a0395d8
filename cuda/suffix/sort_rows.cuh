// The suffix array of a text within a limit of device memory.
#pragma once

#include <cstdint>
#include <functional>

#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"
#include "suffix/suffix_array.hpp"

namespace warpseed::suffix::cuda {

/// Takes the suffix array in ascending order of rows: rows [first_row, first_row + suffixes.size()), all at once or in
/// parts. It may queue work on `suffixes` and take over their memory.
template <class Pos>
using RowsSink = std::function<void(std::uint64_t first_row, Buffer<Pos>& suffixes)>;

/// Sorter and memory limit.
struct SortRequest {
  SortOptions options;
  std::uint64_t reserved_bytes = 0;  // device memory within the limit that the sink takes from its first call on

  /// Memory that the job may still allocate.
  std::uint64_t available_bytes(const Stream& stream) const {
    return stream.pool().available_bytes(options.device_bytes);
  }
};

/// Sorts a text's suffixes and passes them to `sink`: at once by the requested sorter; with `automatic`, in parts if
/// memory does not suffice or Pos is 64 bits wide. The rows are the same either way.
///
/// segments: of a genome; 1 for bytes.
/// Throws BackendError with the required memory if the device has too little.
template <class Pos>
void sort_rows(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const Stream& stream,
               const StageDone& done, const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix::cuda
