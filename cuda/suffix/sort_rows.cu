#include "suffix/sort_rows.cuh"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "suffix/parts.cuh"
#include "suffix/prefix_doubling.cuh"
#include "suffix/refine.cuh"
#include "suffix/skew.cuh"
#include "suffix/suffix_check.cuh"

namespace warpseed::suffix::cuda {

namespace {

using Suffixes = Buffer<std::uint32_t>;

Suffixes sort_by_name(const DeviceText& text, const SortRequest& request, const Stream& stream, const StageDone& done) {
  const std::uint64_t memory_bytes = request.options.device_bytes;
  switch (request.options.sorter) {
    case SuffixSorter::skew: return sort_by_skew(text, stream, done);
    case SuffixSorter::skew_prefix_doubling: return sort_by_skew_prefix_doubling(text, memory_bytes, stream, done);
    default: return sort_suffixes(text, memory_bytes, stream, done);
  }
}

/// Empty if memory does not suffice, which may become known only during the sort, and `automatic` has an alternative.
std::optional<Suffixes> sort_at_once(const DeviceText& text, std::uint64_t segments, const SortRequest& request,
                                     const Stream& stream, const StageDone& done) {
  const std::uint64_t array_and_sink = sizeof(std::uint32_t) * text.size() + request.reserved_bytes;
  const std::uint64_t needed = std::max(sorting_bytes(text, segments), array_and_sink);
  const std::uint64_t available = request.available_bytes(stream);
  const bool has_fallback = request.options.sorter == SuffixSorter::automatic;
  if (needed > available) {
    if (has_fallback) return {};
    throw BackendError("sorting these suffixes with " + std::string(to_string(request.options.sorter)) + " takes " +
                       std::to_string(needed) + " bytes of device memory, " + std::to_string(available) +
                       " are allowed; choose the sorter automatic, which can do with less");
  }
  try {
    return sort_by_name(text, request, stream, done);
  } catch (const TooManyTies&) {
    if (has_fallback) return {};
    throw;
  }
}

void verify_index(const DeviceText& text, const Suffixes& suffixes, const Stream& stream) {
  const std::uint64_t row = first_wrong_row(text, suffixes, stream);
  if (row == text.size()) return;
  throw BackendError("row " + std::to_string(row) + " of the suffix array is wrong; please report this");
}

}  // namespace

template <class Pos>
void sort_rows(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const Stream& stream,
               const StageDone& done, const RowsSink<Pos>& sink) {
  if (text.size() == 0) return;
  if constexpr (std::is_same_v<Pos, std::uint32_t>) {
    if (auto suffixes = sort_at_once(text, segments, request, stream, done)) {
      if (request.options.verify) verify_index(text, *suffixes, stream);
      return sink(0, *suffixes);
    }
  } else if (request.options.sorter != SuffixSorter::automatic) {
    throw BackendError("a text of that size is sorted in parts, which only the sorter automatic does");
  }
  sort_in_parts<Pos>(text, segments, request, stream, done, sink);
}

template void sort_rows(const DeviceText&, std::uint64_t, const SortRequest&, const Stream&, const StageDone&,
                        const RowsSink<std::uint32_t>&);
template void sort_rows(const DeviceText&, std::uint64_t, const SortRequest&, const Stream&, const StageDone&,
                        const RowsSink<std::uint64_t>&);

}  // namespace warpseed::suffix::cuda
