#include "suffix/sort_rows.cuh"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "suffix/key_ranges.cuh"
#include "suffix/order_by_keys.cuh"
#include "suffix/parts.cuh"
#include "suffix/prefix_doubling.cuh"
#include "suffix/refine.cuh"
#include "suffix/skew.cuh"
#include "suffix/suffix_check.cuh"

namespace warpseed::suffix::cuda {

namespace {

SortedPart sort_by_name(const DeviceText& text, const SortRequest& request, const TeamMember& member,
                        const StageDone& done) {
  const std::uint64_t memory_bytes = request.options.device_bytes;
  const Stream& stream = member.stream();
  const TeamRows all = {0, text.size()};
  switch (request.options.sorter) {
    case SuffixSorter::skew: return {sort_by_skew(text, stream, done), all};
    case SuffixSorter::skew_prefix_doubling: {
      return {sort_by_skew_prefix_doubling(text, memory_bytes, stream, done), all};
    }
    default: return sort_suffixes(text, memory_bytes, member, done);
  }
}

/// Empty if memory does not suffice, which may become known only during the sort, and `automatic` has an alternative;
/// then for every member.
std::optional<SortedPart> sort_at_once(const DeviceText& text, std::uint64_t segments, const SortRequest& request,
                                       const TeamMember& member, const StageDone& done) {
  const std::uint64_t rows = team_share(text.size(), member.team_size());
  const std::uint64_t array_and_sink = sizeof(std::uint32_t) * rows + request.reserved_bytes;
  const std::uint64_t needed = std::max(sorting_bytes(text, segments, member.team_size()), array_and_sink);
  const std::uint64_t available = request.available_bytes(member.stream());
  const bool has_fallback = request.options.sorter == SuffixSorter::automatic;
  if (any_member(needed > available, member)) {
    if (has_fallback) return {};
    throw BackendError("sorting these suffixes with " + std::string(to_string(request.options.sorter)) + " takes " +
                       std::to_string(needed) + " bytes of device memory, " + std::to_string(available) +
                       " are allowed; choose the sorter automatic, which can do with less");
  }
  if (!request.keeps_rows) member.stream().reserve(sorting_bytes(text, segments, member.team_size()));
  try {
    return sort_by_name(text, request, member, done);
  } catch (const TooManyTies&) {
    give_back_reserved(member.stream());
    if (has_fallback) return {};
    throw;
  }
}

void verify_rows(const DeviceText& text, const SortedPart& mine, const TeamMember& member) {
  const std::uint64_t row = first_wrong_row(text, mine.suffixes, member);
  if (row == text.size()) return;
  throw BackendError("row " + std::to_string(row) + " of the suffix array is wrong; please report this");
}

/// Whether the team has keys to divide. If not, its first member sorts alone.
bool can_divide(const DeviceText& text, const TeamMember& member) {
  return KeyRanges(text, AllSlots{text.size()}, layout_for_all(text), member).are_even();
}

}  // namespace

DeviceTeam sorting_team(const Backend& backend, const SortOptions& options) {
  Backend chosen = backend;
  if (options.sorter == SuffixSorter::skew || options.sorter == SuffixSorter::skew_prefix_doubling)
    chosen.more_devices.clear();
  return DeviceTeam(chosen);
}

void give_back_reserved(const Stream& stream) {
  if (stream.arena() && stream.arena()->taken_bytes() == 0) stream.release();
}

void begin_rows(const SortRequest& request, const TeamMember& member) {
  if (member.number() == 0 && request.before_rows) request.before_rows();
  member.meet();
}

template <class Pos>
void sort_rows(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const TeamMember& member,
               const StageDone& done, const RowsSink<Pos>& sink) {
  if (text.size() == 0) return;
  give_back_reserved(member.stream());
  if (!member.is_alone() && !can_divide(text, member)) {
    if (member.number() == 0) sort_rows(text, segments, request, TeamMember(member.stream()), done, sink);
    return;
  }
  if constexpr (std::is_same_v<Pos, std::uint32_t>) {
    if (auto part = sort_at_once(text, segments, request, member, done)) {
      if (request.options.verify) verify_rows(text, *part, member);
      begin_rows(request, member);
      return sink(part->rows.first, part->suffixes);
    }
  } else if (request.options.sorter != SuffixSorter::automatic) {
    throw BackendError("a text of that size is sorted in parts, which only the sorter automatic does");
  }
  sort_in_parts<Pos>(text, segments, request, member, done, sink);
}

template void sort_rows(const DeviceText&, std::uint64_t, const SortRequest&, const TeamMember&, const StageDone&,
                        const RowsSink<std::uint32_t>&);
template void sort_rows(const DeviceText&, std::uint64_t, const SortRequest&, const TeamMember&, const StageDone&,
                        const RowsSink<std::uint64_t>&);

}  // namespace warpseed::suffix::cuda
