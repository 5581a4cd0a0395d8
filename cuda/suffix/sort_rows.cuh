// The suffix array of a text within a limit of device memory.
#pragma once

#include <cstdint>
#include <functional>

#include "core/device_team.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"
#include "suffix/suffix_array.hpp"

namespace warpseed::suffix::cuda {

/// Takes rows [first_row, first_row + suffixes.size()) of the suffix array: all at once or in parts in ascending order;
/// in a team those of one member. It may queue work on `suffixes` and take over their memory.
template <class Pos>
using RowsSink = std::function<void(std::uint64_t first_row, Buffer<Pos>& suffixes)>;

/// The devices that sort for a backend: all of them, or the first one for a sorter that is of one device.
DeviceTeam sorting_team(const Backend& backend, const SortOptions& options);

/// Sorter and memory limit.
struct SortRequest {
  SortOptions options = {};
  /// Memory of this device within the limit that the sink takes from its first call on, or before_rows() does.
  std::uint64_t reserved_bytes = 0;
  std::function<void()> before_rows = {};  // called on the first member before any sink is
  bool keeps_rows = false;  // the sink keeps their memory longer than this sort's: it comes from the pool then

  /// Memory that the job may still allocate.
  std::uint64_t available_bytes(const Stream& stream) const { return stream.available_bytes(options.device_bytes); }
};

/// Sorts a text's suffixes and passes them to `sink`: at once by the requested sorter; with `automatic`, in parts if
/// memory does not suffice or Pos is 64 bits wide. The rows are the same either way.
///
/// In a team every member has the text and a sink of its own, which gets a part of the rows; every member must call it.
/// Other sorters than the default are of one device.
/// segments: of a genome; 1 for bytes.
/// Throws BackendError with the required memory if the device has too little.
template <class Pos>
void sort_rows(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const TeamMember& member,
               const StageDone& done, const RowsSink<Pos>& sink);

/// Releases what an earlier sort has reserved, unless its rows are still there.
void give_back_reserved(const Stream& stream);

/// Every member must call it before it gives rows to its sink.
void begin_rows(const SortRequest& request, const TeamMember& member);

}  // namespace warpseed::suffix::cuda
