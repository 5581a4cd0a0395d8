#include "align/record/device_paths.cuh"

#include <algorithm>
#include <ranges>
#include <vector>

#include "align/record/path_core.hpp"
#include "align/record/traceback_core.hpp"
#include "align/seed/device_seeder.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

/// An alignment that is to be traced.
struct GappedTask {
  std::uint32_t read, alignment;
};

/// The array of differences, in any order of alignments. An alignment that finds no room has no differences listed.
struct DifferenceArray {
  Difference* first;
  std::uint32_t size, *used;

  /// list(differ): calls differ(difference) for each, the same every time.
  template <class List>
  __device__ void put(PathEntry& note, std::uint32_t path, List list) const {
    std::uint32_t count = 0;
    list([&](Difference) { ++count; });
    const std::uint32_t begin = count > 0 ? atomicAdd(used, count) : 0;
    if (std::uint64_t{begin} + count > size) return;
    Difference* out = first + begin;
    list([&](Difference one) { *out++ = one; });
    note = {path, begin, count + 1};
  }
};

namespace {

constexpr std::uint64_t differences_per_alignment = 16;  // on average; alignments without room are left to the host

constexpr std::uint32_t word_bytes = 8;        // the words of all lanes are interleaved
constexpr std::uint64_t max_words = 1U << 15;  // of an alignment: a larger DP is too much for a single lane

/// The sizes of the DP that traces an alignment.
struct TracebackDp {
  std::int32_t query_length, genome_length, band;

  __device__ TracebackDp(const Alignment& alignment, const AlignOptions& options)
      : query_length(static_cast<std::int32_t>(alignment.query_end - alignment.query_begin)),
        genome_length(static_cast<std::int32_t>(alignment.genome_end - alignment.genome_begin)),
        band(path_band(query_length, genome_length, alignment.path_score, options)) {}

  __device__ std::uint64_t step_words() const {
    return words(static_cast<std::uint64_t>(genome_length) * (2 * static_cast<std::uint64_t>(band) + 1));
  }
  __device__ std::uint64_t row_words() const { return static_cast<std::uint64_t>(query_length) + 1; }
  __device__ std::uint64_t query_words() const { return words(static_cast<std::uint64_t>(query_length)); }
  __device__ std::uint64_t genome_words() const { return words(static_cast<std::uint64_t>(genome_length)); }
  __device__ std::uint64_t all_words() const { return row_words() + query_words() + genome_words() + step_words(); }

 private:
  __device__ static std::uint64_t words(std::uint64_t bytes) { return (bytes + word_bytes - 1) / word_bytes; }
};

/// A lane's values, one or eight per word. Lanes at the same index access adjacent addresses.
struct InterleavedCells {
  PathCell* first;
  __device__ PathCell& operator[](std::int32_t i) const { return first[static_cast<std::uint32_t>(i) * warp_threads]; }
};
struct InterleavedBytes {
  std::uint8_t* first;
  __device__ std::uint8_t& operator[](std::int64_t i) const {
    const auto at = static_cast<std::uint32_t>(i);
    return first[at / word_bytes * (word_bytes * warp_threads) + at % word_bytes];
  }
};
static_assert(sizeof(PathCell) == word_bytes);

/// Stores the ungapped path if it is the best one.
__device__ bool store_ungapped(const TracingView& view, const Alignment& alignment, const PackedStrand& read,
                               const DifferenceArray& room, PathEntry& note) {
  const TextPos position = diagonal_of(alignment, view.genome);
  if (position == text::no_text_pos) return false;
  const auto score = [&](auto differ) {
    return ungapped_path_score(read, alignment.query_begin, view.genome.text, position,
                               alignment.query_end - alignment.query_begin, view.options.scoring, differ);
  };
  if (score([](std::uint32_t) {}) < alignment.path_score) return false;
  room.put(note, 0, [&](auto differ) {
    score([&](std::uint32_t i) { differ(difference(i, static_cast<std::uint8_t>(view.genome.text[position + i]))); });
  });
  return true;
}

/// One thread per read stores the ungapped paths of its alignments and lists the others. most: maximum words of an
/// alignment. tasks, notes: [alignments]
__global__ void list_gapped_kernel(TracingView view, std::uint64_t most, GappedTask* tasks, std::uint32_t* count,
                                   DifferenceArray room, PathEntry* notes) {
  const std::uint64_t read = thread_index();
  if (read >= view.reads.count() || view.reads.lengths[read] == 0) return;  // long reads are not on the device
  const std::uint64_t begin = view.begins[read];
  const auto number = static_cast<std::uint32_t>(view.begins[read + 1] - begin);
  for_each_reported(view.alignments + begin, number, view.options, [&](std::uint32_t i) {
    const Alignment& alignment = view.alignments[begin + i];
    if (alignment.query_end == alignment.query_begin || alignment.genome_end == alignment.genome_begin) return;
    const PackedStrand reversed = view.reads.orientation(2 * read + (alignment.reverse ? 1 : 0));
    if (store_ungapped(view, alignment, reversed, room, notes[begin + i])) return;
    if (TracebackDp(alignment, view.options).all_words() > most) return;
    tasks[atomicAdd(count, 1U)] = {static_cast<std::uint32_t>(read), static_cast<std::uint32_t>(begin + i)};
  });
}

__global__ void measure_kernel(TracingView view, View<GappedTask> tasks, std::uint32_t* words) {
  const std::uint64_t i = thread_index();
  if (i >= tasks.size) return;
  const Alignment& alignment = view.alignments[tasks[i].alignment];
  words[i] = static_cast<std::uint32_t>(TracebackDp(alignment, view.options).all_words());
}

/// Sorts tasks by `order`, and sets the words of each warp: [warps + 1], as many per lane as its first task needs.
__global__ void order_kernel(View<GappedTask> tasks, const std::uint32_t* words, const std::uint32_t* order,
                             GappedTask* ordered, std::uint64_t* warp_words) {
  const std::uint64_t i = thread_index();
  if (i >= tasks.size) return;
  ordered[i] = tasks[order[i]];
  if (i % warp_threads == 0) warp_words[i / warp_threads] = std::uint64_t{warp_threads} * words[order[i]];
}

/// Appends the steps of a path, which arrive from its end to its begin, as CIGAR elements.
struct ElementWriter {
  DevicePath& path;
  std::uint32_t op = 0, length = 0;

  __device__ void add(int step) {
    if (length > 0 && static_cast<std::uint32_t>(step) != op) flush();
    op = static_cast<std::uint32_t>(step);
    ++length;
  }
  __device__ void flush() {
    if (path.count < DevicePath::max_elements) path.elements[path.count] = length << 4 | op;
    ++path.count;
    length = 0;
  }
};

/// Traces an alignment in one thread, and stores the path under its `number` if there is room. The thread's words in
/// the scratch memory are 32 words apart.
__device__ void trace(const TracingView& view, const GappedTask& task, std::uint64_t* words, DevicePath& path,
                      std::uint32_t number, const DifferenceArray& room, PathEntry& note) {
  const Alignment& alignment = view.alignments[task.alignment];
  const TracebackDp sizes(alignment, view.options);
  std::uint64_t* next = words;
  const auto take = [&](std::uint64_t count) {
    std::uint64_t* const taken = next;
    next += count * warp_threads;
    return taken;
  };
  const InterleavedCells row = {reinterpret_cast<PathCell*>(take(sizes.row_words()))};
  const InterleavedBytes query = {reinterpret_cast<std::uint8_t*>(take(sizes.query_words()))};
  const InterleavedBytes genome = {reinterpret_cast<std::uint8_t*>(take(sizes.genome_words()))};
  const InterleavedBytes steps = {reinterpret_cast<std::uint8_t*>(take(sizes.step_words()))};
  const std::uint8_t* codes =
      view.reads.codes_of(2 * std::uint64_t{task.read} + (alignment.reverse ? 1 : 0)) + alignment.query_begin;
  for (std::int32_t i = 0; i < sizes.query_length; ++i) query[i] = codes[i];
  text::fetch_codes(view.genome, alignment.genome_begin, alignment.genome_end, genome);
  path.count = 0;
  ElementWriter writer = {path};
  if (sizes.query_length == sizes.genome_length &&
      ungapped_path_score(query, genome, sizes.query_length, view.options.scoring) >=
          alignment.path_score) {  // ungapped over an N
    writer.length = static_cast<std::uint32_t>(sizes.query_length);
  } else {
    fill_path(query, sizes.query_length, genome, sizes.genome_length, sizes.band, view.options.scoring,
              PathScratch<InterleavedCells, InterleavedBytes>{row, steps});
    walk_path(steps, sizes.query_length, sizes.genome_length, sizes.band, [&](int op) { writer.add(op); });
  }
  writer.flush();
  if (path.count > DevicePath::max_elements) return;
  const auto element_at = [&](std::uint32_t i) { return path.elements[path.count - 1 - i]; };
  room.put(note, number + 1, [&](auto differ) { for_each_difference(path.count, element_at, query, genome, differ); });
}

/// Runs warps from first_warp on. warp_begins: where the words of each warp begin; those of first_warp are at the start
/// of the scratch memory. A block is one warp, because the warps are few and long.
__global__ void trace_kernel(TracingView view, View<GappedTask> tasks, std::uint64_t first_warp,
                             const std::uint64_t* warp_begins, std::uint64_t* scratch, DevicePath* paths,
                             DifferenceArray room, PathEntry* notes) {
  const std::uint64_t warp = first_warp + blockIdx.x, i = warp * warp_threads + lane_id();
  if (i >= tasks.size) return;
  trace(view, tasks[i], scratch + (warp_begins[warp] - warp_begins[first_warp]) + lane_id(), paths[i],
        static_cast<std::uint32_t>(i), room, notes[tasks[i].alignment]);
}

/// Tasks with the largest DPs first, so that the lanes of a warp have similar work.
struct OrderedTasks {
  Buffer<GappedTask> tasks;
  Buffer<std::uint64_t> warp_begins;  // [warps + 1] where the words of each warp begin

  OrderedTasks(const TracingView& view, View<GappedTask> listed, const Stream& stream)
      : tasks(listed.size, stream), warp_begins((listed.size + warp_threads - 1) / warp_threads + 1, stream) {
    Buffer<std::uint32_t> words(listed.size, stream);
    launch("measure_kernel", measure_kernel, listed.size, stream, view, listed, words.data());
    const Buffer<std::uint32_t> order = largest_first(words, stream);
    warp_begins.fill_zero();
    launch("order_kernel", order_kernel, listed.size, stream, listed, words.data(), order.data(), tasks.data(),
           warp_begins.data());
    exclusive_sum(warp_begins, stream);
  }
};

/// The end of the warps from `first` on whose scratch fits together; at least one warp. begins: [warps + 1] where the
/// words of each begin.
std::uint64_t end_of_fitting_warps(const std::vector<std::uint64_t>& begins, std::uint64_t first,
                                   std::uint64_t max_words) {
  const auto begin = begins.begin() + static_cast<std::ptrdiff_t>(first);
  const auto beyond = std::upper_bound(begin + 1, begins.end(), *begin + max_words);
  return std::max(static_cast<std::uint64_t>(beyond - begins.begin()) - 1, first + 1);
}

}  // namespace

TracedPaths DevicePaths::trace(const TracingView& view, std::uint64_t alignment_count, std::uint64_t scratch_bytes,
                               double share, const Stream& stream) {
  clear();
  const std::uint64_t scratch_words = scratch_bytes / word_bytes;
  Buffer<Difference> differences(differences_per_alignment * alignment_count, stream);
  Buffer<PathEntry> notes(alignment_count, stream);
  Buffer<GappedTask> listed(alignment_count, stream);
  Buffer<std::uint32_t> counters(2, stream);  // alignments listed, differences
  notes.fill_zero(), counters.fill_zero();
  const DifferenceArray room = {differences.data(), static_cast<std::uint32_t>(differences.size()),
                                counters.data() + 1};
  launch("list_gapped_kernel", list_gapped_kernel, view.reads.count(), stream, view,
         std::min(max_words, scratch_words / warp_threads), listed.data(), counters.data(), room, notes.data());
  const std::uint64_t count = counters.value_at(0);
  Buffer<DevicePath> paths =
      trace_listed(view, listed.view().part(0, count), scratch_words, share, room, notes.data(), stream);
  const std::uint64_t used = std::min<std::uint64_t>(counters.value_at(1), differences.size());
  const std::span<PathEntry> staged_notes = staged_notes_.room(alignment_count, share);
  const std::span<Difference> staged_differences = staged_differences_.room(used, share);
  notes.download(staged_notes), differences.download(staged_differences);
  notes_ = staged_notes, differences_ = staged_differences;
  return {std::move(paths), std::move(notes), std::move(differences)};
}

Buffer<DevicePath> DevicePaths::trace_listed(const TracingView& view, View<GappedTask> listed,
                                             std::uint64_t scratch_words, double share, const DifferenceArray& room,
                                             PathEntry* notes, const Stream& stream) {
  if (listed.size == 0) return {};
  const OrderedTasks ordered(view, listed, stream);
  std::vector<std::uint64_t> begins(ordered.warp_begins.size());
  ordered.warp_begins.read(begins);
  const std::uint64_t warps = begins.size() - 1;
  Buffer<std::uint64_t> scratch(std::min(scratch_words, begins[warps]), stream);
  Buffer<DevicePath> paths(listed.size, stream);
  paths.fill_zero();  // few paths fill their elements, and all of them are downloaded
  for (std::uint64_t first = 0; first < warps;) {
    const std::uint64_t end = end_of_fitting_warps(begins, first, scratch_words);
    trace_kernel<<<static_cast<unsigned>(end - first), warp_threads, 0, stream.handle()>>>(
        view, ordered.tasks.view(), first, ordered.warp_begins.data(), scratch.data(), paths.data(), room, notes);
    check_launch("trace_kernel", stream.handle());
    first = end;
  }
  const std::span<DevicePath> staged = staged_paths_.room(listed.size, share);
  paths.download(staged);
  paths_ = staged;
  return paths;
}

void DevicePaths::give(std::uint64_t begin, std::uint64_t end, PrecomputedCigars& to) const {
  to.clear();
  if (notes_.empty()) return;
  for (std::uint64_t a = begin; a < end; ++a) {
    const PathEntry& note = notes_[a];
    if (note.differences == 0) continue;
    std::span<const std::uint32_t> elements;
    if (note.path > 0) elements = {paths_[note.path - 1].elements, paths_[note.path - 1].count};
    to.add(static_cast<std::uint32_t>(a - begin), std::views::reverse(elements),
           differences_.subspan(note.first_difference, note.differences - 1));
  }
}

}  // namespace warpseed::align::cuda
