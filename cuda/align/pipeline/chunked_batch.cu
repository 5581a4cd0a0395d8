#include "align/pipeline/chunked_batch.cuh"

#include <algorithm>

namespace warpseed::align::cuda {

/// Calls work(begin, end) for chunks that follow each other, with the chunk on the device. Where memory runs out, whether it
/// is brought or worked on, it is begun again with half as many reads.
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

/// Gives the chunk up, since `count` reads of it were too many: an OutOfDeviceMemory, thrown again where there cannot be
/// fewer.
void ChunkedBatch::shrink(std::uint64_t count) {
  drop();
  batch_.give_up();
  if (count <= 2) throw;
  most_reads_ = (count + 2) / 4 * 2;  // even: mates stay together
}

void ChunkedBatch::begin(std::span<ReadAlignments> aligned, std::uint64_t first_number) {
  aligned_ = aligned, first_number_ = first_number;
  chosen_.assign(aligned.size(), false);
  first_ = end_ = 0;
}

/// The chunk is not needed any more. What was chosen of it is fetched, since it would come back as it was before; a few reads
/// at a time, which takes less memory than the seeds did.
void ChunkedBatch::drop() {
  constexpr std::uint64_t reads_at_a_time = 2048;
  if (first_ == end_) return;
  batch_.let_seeds_go();
  for (std::uint64_t from = first_; from < end_;) {
    std::uint64_t to = from;
    while (to < end_ && to - from < reads_at_a_time && chosen_[to]) ++to;
    if (to > from) batch_.fetch(from - first_, to - first_, FetchScope::all);
    from = std::max(to, from + 1);
  }
  first_ = end_ = 0;
}

/// Sees to it that reads are on the device; of these no choices may have been made unless they are there.
void ChunkedBatch::bring(std::uint64_t first, std::uint64_t end) {
  if (is_here(first, end)) return;
  drop();
  batch_.align(aligned_.subspan(first, end - first), first_number_ + first);
  first_ = first, end_ = end;
}

void ChunkedBatch::align_and_choose(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                    const SelectionRequest& selection) {
  begin(aligned, first_number);
  in_chunks(0, aligned.size(), [&](std::uint64_t first, std::uint64_t end) {
    const std::uint64_t size = end - first;
    if (selection.paired)
      batch_.choose_pairs(0, size, selection.groups.subspan(first, size), *selection.insert_sizes,
                          selection.choices.subspan(first, size));
    else
      batch_.choose_singles(selection.choices.subspan(first, size));
    batch_.fetch(0, size, FetchScope::reported);
  });
}

void ChunkedBatch::align(std::span<ReadAlignments> aligned, std::uint64_t first_number) {
  begin(aligned, first_number);
  if (aligned.size() > most_reads_) return;  // chunk by chunk, when it is known what for
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

/// Reads whose choices are made. What is not on the device any more was fetched when it went.
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

void ChunkedBatch::let_go() {
  aligned_ = {};
  first_ = end_ = 0;
  batch_.let_go();
}

}  // namespace warpseed::align::cuda
