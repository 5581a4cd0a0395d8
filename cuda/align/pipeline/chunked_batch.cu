#include "align/pipeline/chunked_batch.cuh"

#include <algorithm>

namespace warpseed::align::cuda {

/// Calls work(begin, end) for consecutive chunks, with the chunk on the device. If memory runs out, while the chunk is
/// loaded or in work(), the chunk is restarted with half as many reads.
template <class Work>
void ChunkedBatch::in_chunks(std::uint64_t first, std::uint64_t end, Work work) {
  while (first < end) {
    const std::uint64_t count = std::min(end - first, most_reads_);
    try {
      bring(first, first + count);
      work(first, first + count);
      first += count;
    } catch (const OutOfDeviceMemory&) {
      shrink(count);
    }
  }
}

/// Abandons the chunk because `count` reads were too many. Called while an OutOfDeviceMemory is handled, which is
/// rethrown if there cannot be fewer reads.
void ChunkedBatch::shrink(std::uint64_t count) {
  drop();
  batch_.abandon();
  if (count <= 2) throw;
  most_reads_ = (count + 2) / 4 * 2;  // even: mates stay together
  has_shrunk_ = true;
}

void ChunkedBatch::begin(std::span<ReadAlignments> aligned, std::uint64_t first_number, const RecordRequest* request) {
  aligned_ = aligned, first_number_ = first_number, request_ = request;
  chosen_.assign(aligned.size(), false);
  first_ = end_ = 0;
}

/// Drops the chunk. Reads with choices are fetched first, because loading the chunk again would undo the choices. A few
/// reads at a time take less memory than the seeds did.
void ChunkedBatch::drop() {
  constexpr std::uint64_t reads_at_a_time = 2048;
  if (first_ == end_) return;
  batch_.release_seeds();
  for (std::uint64_t from = first_; from < end_;) {
    std::uint64_t to = from;
    while (to < end_ && to - from < reads_at_a_time && chosen_[to]) ++to;
    if (to > from) batch_.fetch(from - first_, to - first_, FetchScope::all);
    from = std::max(to, from + 1);
  }
  first_ = end_ = 0;
}

/// Ensures that reads are on the device. If they are not there yet, none of them may have choices.
void ChunkedBatch::bring(std::uint64_t first, std::uint64_t end) {
  if (is_here(first, end)) return;
  drop();
  batch_.align(aligned_.subspan(first, end - first), first_number_ + first, request_, first);
  first_ = first, end_ = end;
}

void ChunkedBatch::align_and_choose(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                    const SelectionRequest& selection) {
  begin(aligned, first_number, selection.records ? &*selection.records : nullptr);
  in_chunks(0, aligned.size(), [&](std::uint64_t first, std::uint64_t end) {
    const std::uint64_t size = end - first;
    if (selection.paired)
      batch_.choose_pairs(0, size, selection.groups.subspan(first, size), *selection.insert_sizes,
                          selection.choices.subspan(first, size));
    else
      batch_.choose_singles(selection.choices.subspan(first, size));
    if (selection.records)
      batch_.fetch_records(selection.records->made.subspan(first, size));
    else
      batch_.fetch(0, size, FetchScope::reported);
  });
}

void ChunkedBatch::align(std::span<ReadAlignments> aligned, std::uint64_t first_number) {
  begin(aligned, first_number, nullptr);
  if (aligned.size() > most_reads_) return;  // chunk by chunk, in the later calls
  try {
    bring(0, aligned.size());
  } catch (const OutOfDeviceMemory&) {
    shrink(aligned.size());
  }
}

void ChunkedBatch::choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                                const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) {
  in_chunks(first, end, [&](std::uint64_t from, std::uint64_t to) {
    batch_.choose_pairs(from - first_, to - first_, groups.subspan(from - first, to - from), insert_sizes,
                        choices.subspan(from - first, to - from));
    std::fill(chosen_.begin() + static_cast<std::ptrdiff_t>(from), chosen_.begin() + static_cast<std::ptrdiff_t>(to),
              true);
  });
}

void ChunkedBatch::fetch(std::uint64_t first, std::uint64_t end, FetchScope which) {
  const auto read = [&](std::uint64_t i) { return chosen_.begin() + static_cast<std::ptrdiff_t>(i); };
  while (first < end) {
    const bool chosen = chosen_[first];
    const auto to = first + static_cast<std::uint64_t>(std::find(read(first), read(end), !chosen) - read(first));
    if (chosen)
      fetch_chosen(first, to, which);
    else
      in_chunks(first, to,
                [&](std::uint64_t from, std::uint64_t until) { batch_.fetch(from - first_, until - first_, which); });
    first = to;
  }
}

/// Fetches reads with choices. Reads that are no longer on the device were fetched when their chunk was dropped.
void ChunkedBatch::fetch_chosen(std::uint64_t first, std::uint64_t end, FetchScope which) {
  if (!is_here(first, end)) {
    drop();
    return;
  }
  try {
    batch_.fetch(first - first_, end - first_, which);
  } catch (const OutOfDeviceMemory&) {
    shrink(end - first);
  }
}

void ChunkedBatch::release() {
  aligned_ = {};
  request_ = nullptr;
  first_ = end_ = 0;
  batch_.release();
}

}  // namespace warpseed::align::cuda
