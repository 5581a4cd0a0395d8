// The alignments that grow from the chains of a part of a batch of reads.
#include <algorithm>
#include <utility>

#include "align/device_placer.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr unsigned warp_threads = 32;
constexpr std::uint64_t growing_threads = 132 * 1024;            // more than are at work at a time bring nothing
constexpr std::uint64_t scratch_bytes = std::uint64_t{2} << 30;  // with long reads fewer threads have to do

/// Scratch of all threads, by warp: the threads of a warp have every 32nd value.
struct GrowthScratch {
  std::uint8_t* windows;
  ExtensionCell* rows;
  std::uint64_t window_size, row_size;  // of a thread

  __device__ ExtendScratch of(std::uint64_t thread) const {
    const std::uint64_t warp = thread / warp_threads, lane = thread % warp_threads;
    return {{windows + warp * warp_threads * window_size + lane, warp_threads},
            {rows + warp * warp_threads * row_size + lane, warp_threads}};
  }
};

/// The extension of a chain's longest hit. Hits and chains are counted from the read's first.
struct Task {
  std::uint32_t read, chain, hit;
};

struct ChainsView {
  const Hit* hits;
  const std::int32_t* promises;
  const Chain* chains;
  const std::uint32_t* counts;
  View<std::uint64_t> begins;  // [reads + 1] tasks before those of each read

  __device__ const Hit& hit(const PlacingView& view, const Task& task) const {
    return hits[view.hit_begin(task.read) + task.hit];
  }
};

/// Tasks by read, and how wide a band each may need.
__global__ void list_tasks_kernel(PlacingView view, ChainsView chains, Task* tasks, std::uint32_t* bands) {
  const std::uint64_t read = thread_index();
  if (read >= view.read_count) return;
  const std::uint64_t begin = view.hit_begin(read), first = chains.begins[read];
  const Scoring& scoring = view.options.scoring;
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    const std::uint32_t hit = longest_hit(chains.chains[begin + c], chains.hits + begin);
    const std::int32_t lost =
        static_cast<std::int32_t>(view.length(read)) * scoring.match - chains.promises[begin + hit];
    const std::int32_t gap = scoring.gap_within(lost);
    tasks[first + c] = {static_cast<std::uint32_t>(read), c, hit};
    bands[first + c] = static_cast<std::uint32_t>(gap < view.options.band ? gap : view.options.band);
  }
}

__device__ Alignment extend(const PlacingView& view, std::uint32_t read, const Hit& hit, const ExtendScratch& scratch) {
  const std::uint64_t orientation = 2 * (view.first_read + read) + (hit.reverse ? 1 : 0);
  return extend_hit(view.genome, view.reads.codes_of(orientation), view.length(read), hit, view.options, scratch);
}

/// Calls work(i) for each i below `count`, in every thread of the grid; the threads of a warp take neighbouring ones at a
/// time.
template <class Work>
__device__ void for_each_taken(std::uint64_t count, std::uint32_t* next, Work work) {
  const unsigned lane = threadIdx.x % warp_threads;
  for (;;) {
    std::uint32_t first = 0;
    if (lane == 0) first = atomicAdd(next, warp_threads);
    first = __shfl_sync(~0U, first, 0);
    if (first >= count) return;
    if (first + lane < count) work(first + lane);
    __syncwarp();
  }
}

/// Tasks with bands of like width side by side.
__global__ void extend_kernel(PlacingView view, ChainsView chains, const Task* tasks, View<std::uint32_t> order,
                              GrowthScratch scratch, Alignment* extended, std::uint32_t* next) {
  const ExtendScratch mine = scratch.of(thread_index());
  for_each_taken(order.size, next, [&](std::uint64_t i) {
    const Task& task = tasks[order[i]];
    extended[order[i]] = extend(view, task.read, chains.hit(view, task), mine);
  });
}

/// Where a read's alignments grow.
struct GrowthRoom {
  View<std::uint64_t> begins;  // [reads + 1]
  Alignment* alignments;
  std::uint32_t* origins;
  std::uint32_t* orders;  // of hits
  std::uint32_t* counts;  // [reads]
};

__device__ std::uint32_t grow_read(const PlacingView& view, const ChainsView& all, const Alignment* extended,
                                   const GrowthRoom& room, const ExtendScratch& scratch, std::uint32_t read) {
  const std::uint64_t begin = view.hit_begin(read), room_begin = room.begins[read];
  const Hit* hits = all.hits + begin;
  GrownAlignments grown = {room.alignments + room_begin, room.origins + room_begin, 0};
  for (std::uint32_t c = 0; c < all.counts[read]; ++c) {
    const auto known = [&](std::uint32_t h, bool longest) {
      return longest ? extended[all.begins[read] + c] : extend(view, read, hits[h], scratch);
    };
    grow_chain(
        all.chains[begin + c], hits, room.orders + room_begin, view.first_number + view.first_read + read,
        view.options.band, [&](std::uint32_t h) { return all.promises[begin + h]; }, known, grown);
  }
  return grown.count;
}

/// Reads with as many hits to grow from, or nearly, side by side.
__global__ void grow_kernel(PlacingView view, ChainsView chains, const Alignment* extended, View<std::uint32_t> order,
                            GrowthRoom room, GrowthScratch scratch, std::uint32_t* next) {
  const ExtendScratch mine = scratch.of(thread_index());
  for_each_taken(order.size, next, [&](std::uint64_t i) {
    room.counts[order[i]] = grow_read(view, chains, extended, room, mine, order[i]);
  });
}

__global__ void rank_kernel(PlacingView view, View<std::uint32_t> order, GrowthRoom room) {
  const std::uint64_t at = thread_index();
  if (at >= order.size) return;
  const std::uint32_t read = order[at];
  Alignment* alignments = room.alignments + room.begins[read];
  const std::uint32_t kept = rank_alignments(alignments, room.counts[read]);
  mark_competitors(alignments, kept, view.length(read), view.options.scoring);
  room.counts[read] = kept;
}

__global__ void widen_kernel(View<std::uint32_t> from, std::uint64_t* to) {
  const std::uint64_t i = thread_index();
  if (i < from.size) to[i] = from[i];
}

__global__ void count_room_kernel(View<std::uint64_t> begins, std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read + 1 < begins.size) counts[read] = static_cast<std::uint32_t>(begins[read + 1] - begins[read]);
}

/// Scratch and the counter of a kernel whose threads take what is next.
class Growth {
 public:
  Growth(const PlacingView& view, std::uint32_t longest, std::uint64_t most_threads, const Stream& stream) {
    const auto length = static_cast<std::int32_t>(longest);
    reach_ = static_cast<std::uint64_t>(genome_reach(length, view.options.band, view.options.scoring));
    row_ = longest + 2;
    const std::uint64_t blocks = std::min({scratch_bytes / (reach_ + row_ * sizeof(ExtensionCell)), growing_threads,
                                           most_threads + threads_per_block}) /
                                 threads_per_block;
    threads_ = std::max<std::uint64_t>(blocks, 1) * threads_per_block;
    windows_ = Buffer<std::uint8_t>(threads_ * reach_, stream);
    rows_ = Buffer<ExtensionCell>(threads_ * row_, stream);
    next_ = Buffer<std::uint32_t>(1, stream);
  }

  std::uint64_t threads() const { return threads_; }
  GrowthScratch scratch() { return {windows_.data(), rows_.data(), reach_, row_}; }
  std::uint32_t* begin() {
    next_.fill_zero();
    return next_.data();
  }

 private:
  std::uint64_t reach_, row_, threads_;
  Buffer<std::uint8_t> windows_;
  Buffer<ExtensionCell> rows_;
  Buffer<std::uint32_t> next_;
};

}  // namespace

DeviceAlignments grow_alignments(const PlacingView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream) {
  Buffer<std::uint64_t> task_begins(view.read_count + 1, stream);
  task_begins.fill_zero();
  launch("widen_kernel", widen_kernel, view.read_count, stream, chains.counts.view(), task_begins.data());
  exclusive_sum(task_begins, stream);
  const std::uint64_t task_count = task_begins.value_at(view.read_count);
  const ChainsView all = {chains.hits.data(), chains.promises.data(), chains.chains.data(), chains.counts.data(),
                          task_begins.view()};
  Buffer<Task> tasks(task_count, stream);
  Buffer<std::uint32_t> bands(task_count, stream);
  Buffer<Alignment> extended(task_count, stream);
  launch("list_tasks_kernel", list_tasks_kernel, view.read_count, stream, view, all, tasks.data(), bands.data());
  const Buffer<std::uint32_t> task_order = largest_first(bands, stream);
  Growth growth(view, longest, std::max(task_count, view.read_count), stream);
  launch("extend_kernel", extend_kernel, growth.threads(), stream, view, all, tasks.data(), task_order.view(),
         growth.scratch(), extended.data(), growth.begin());

  Buffer<std::uint64_t> begins = std::move(chains.room);
  exclusive_sum(begins, stream);
  const std::uint64_t most = begins.value_at(view.read_count);
  DeviceAlignments result = {Buffer<Alignment>(most, stream), std::move(begins),
                             Buffer<std::uint32_t>(view.read_count, stream)};
  Buffer<std::uint32_t> origins(most, stream), orders(most, stream);
  launch("count_room_kernel", count_room_kernel, view.read_count, stream, result.begins.view(), result.counts.data());
  const Buffer<std::uint32_t> order = largest_first(result.counts, stream);
  const GrowthRoom room = {result.begins.view(), result.alignments.data(), origins.data(), orders.data(),
                           result.counts.data()};
  launch("grow_kernel", grow_kernel, growth.threads(), stream, view, all, extended.data(), order.view(), room,
         growth.scratch(), growth.begin());
  launch("rank_kernel", rank_kernel, view.read_count, stream, view, order.view(), room);
  return result;
}

}  // namespace warpseed::cuda
