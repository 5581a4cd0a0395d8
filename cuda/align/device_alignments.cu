// The alignments that grow from the chains of a part of a batch of reads.
#include <algorithm>
#include <utility>

#include "align/device_placer.cuh"
#include "align/warp_extend.cuh"
#include "align/warp_rank.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t growing_warps = 132 * 40;                // more than are at work at a time bring nothing
constexpr std::uint64_t scratch_bytes = std::uint64_t{1} << 30;  // with long reads fewer warps have to do

constexpr std::uint32_t few_hits = 8;  // of a read that a thread goes through
constexpr std::uint32_t not_grown = ~0U;

/// Scratch of all warps, one's behind the other's.
struct GrowthScratch {
  std::uint8_t* windows;
  ExtensionCell* rows;
  std::uint64_t window_size, row_size;

  /// memory: [warps of a block]
  __device__ WarpExtender of_warp(ExtensionMemory* memory) const {
    const std::uint64_t warp = thread_index() / warp_threads;
    return {windows + warp * window_size, rows + warp * row_size, memory + threadIdx.x / warp_threads};
  }
};

/// The extension of a chain's hit. Hits and chains are counted from the read's first.
struct Task {
  std::uint32_t read, chain, hit;
};

struct ChainsView {
  const Hit* hits;
  const std::int32_t* promises;
  const Chain* all_chains;
  const std::uint32_t* kept;
  const std::uint32_t* counts;
  View<std::uint64_t> begins;  // [reads + 1] tasks before those of each read

  /// The c-th that is kept of a read whose hits begin at `begin`.
  __device__ const Chain& chain(std::uint64_t begin, std::uint32_t c) const {
    return all_chains[begin + kept[begin + c]];
  }
  __device__ const Hit& hit(const PlacingView& view, const Task& task) const {
    return hits[view.hit_begin(task.read) + task.hit];
  }
};

__global__ void list_tasks_kernel(PlacingView view, ChainsView chains, Task* tasks) {
  const std::uint64_t read = thread_index();
  if (read >= view.read_count) return;
  const std::uint64_t begin = view.hit_begin(read), first = chains.begins[read];
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    tasks[first + c] = {static_cast<std::uint32_t>(read), c, longest_hit(chains.chain(begin, c), chains.hits + begin)};
  }
}

__device__ Alignment extend(const PlacingView& view, std::uint32_t read, const Hit& hit, const WarpExtender& extender) {
  const std::uint64_t orientation = 2 * (view.first_read + read) + (hit.reverse ? 1 : 0);
  return extend_hit(view.genome, view.reads.codes_of(orientation), view.length(read), hit, view.options, extender);
}

__global__ void __launch_bounds__(threads_per_block, 3)
    extend_kernel(PlacingView view, ChainsView chains, View<Task> tasks, GrowthScratch scratch, Alignment* extended,
                  std::uint32_t* next) {
  __shared__ ExtensionMemory shared[threads_per_block / warp_threads];
  const WarpExtender extender = scratch.of_warp(shared);
  for_each_taken(tasks.size, next, [&](std::uint64_t i) {
    const Alignment found = extend(view, tasks[i].read, chains.hit(view, tasks[i]), extender);
    if (lane_id() == 0) extended[i] = found;
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

/// The chains of one read and what has grown from them; the same in all lanes.
struct GrowingRead {
  const Hit* hits;
  const std::int32_t* promises;
  std::uint32_t* order;
  GrownAlignments grown;
  std::uint32_t hits_before = 0;  // of chains gone through
};

/// Is growing a hit worth while no more? The lanes ask the alignments side by side.
__device__ bool is_known_by_warp(const PlacingView& view, const GrowingRead& read, std::uint32_t h) {
  const GrownAlignments& grown = read.grown;
  for (std::uint32_t first = 0; first < grown.count; first += warp_threads) {
    const std::uint32_t a = first + lane_id();
    const bool known = a < grown.count && is_known(grown.alignments[a], read.hits[grown.origins[a]], read.hits[h],
                                                   view.options.band, [&] { return read.promises[h]; });
    if (__any_sync(all_lanes, known)) return true;
  }
  return false;
}

/// As grow_chain(). extended(h, i): of the i-th hit that is gone through, 0 for a chain's longest one; in all lanes.
template <class Extended>
__device__ void grow_chain_by_warp(const PlacingView& view, const Chain& chain, std::uint64_t read_number,
                                   GrowingRead& read, Extended extended) {
  std::uint32_t count = 0;
  if (lane_id() == 0) count = hits_by_length(chain, read.hits, read.order);
  count = __shfl_sync(all_lanes, count, 0);
  __syncwarp();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t h = read.order[i];
    if (is_known_by_warp(view, read, h)) continue;
    Alignment found = extended(h, i);
    found.tie = tie_of(found, read_number);
    found.alt = chain.alt;
    if (lane_id() == 0) {
      read.grown.alignments[read.grown.count] = found;
      read.grown.origins[read.grown.count] = h;
    }
    ++read.grown.count;
    __syncwarp();
  }
  read.hits_before += count;
}

/// Extensions of hits that are not the longest of their chains. A read may need a hundred, one after the other; they are
/// foreseen as far as the longest hits' alignments tell, and made at the same time.
struct ForeseenView {
  Task* tasks;            // [hits of the chains kept]
  std::uint32_t* count;   // of tasks
  std::uint32_t* places;  // [hits of the chains kept] as they are gone through: 0, or the task's number + 1
  const Alignment* extended;
};

/// Goes through the chains of a read. extended(c, h, i, place): of the c-th one, see grow_chain_by_warp() and
/// ForeseenView::places.
template <class Extended>
__device__ GrownAlignments grow_read(const PlacingView& view, const ChainsView& chains, std::uint32_t read,
                                     const GrowthRoom& room, Extended extended) {
  const std::uint64_t begin = view.hit_begin(read), room_begin = room.begins[read];
  GrowingRead growing = {chains.hits + begin,
                         chains.promises + begin,
                         room.orders + room_begin,
                         {room.alignments + room_begin, room.origins + room_begin, 0}};
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    grow_chain_by_warp(
        view, chains.chain(begin, c), view.first_number + view.first_read + read, growing,
        [&](std::uint32_t h, std::uint32_t i) { return extended(c, h, i, room_begin + growing.hits_before + i); });
  }
  return growing.grown;
}

/// Goes through reads with few hits by a thread each, as long as what is extended beforehand will do. All others are left
/// as not_grown. ranked: as room.alignments.
__global__ void grow_alone_kernel(PlacingView view, ChainsView chains, const Alignment* extended, GrowthRoom room,
                                  Alignment* ranked) {
  const std::uint64_t read = thread_index();
  if (read >= view.read_count) return;
  room.counts[read] = not_grown;
  const std::uint64_t begin = view.hit_begin(read), room_begin = room.begins[read];
  if (room.begins[read + 1] - room_begin > few_hits) return;
  bool lacking = false;
  GrownAlignments grown = {ranked + room_begin, room.origins + room_begin, 0};
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    grow_chain(
        chains.chain(begin, c), chains.hits + begin, room.orders + room_begin,
        view.first_number + view.first_read + read, view.options.band,
        [&](std::uint32_t h) { return chains.promises[begin + h]; },
        [&](std::uint32_t, bool longest) {
          lacking = lacking || !longest;
          return extended[chains.begins[read] + c];
        },
        grown);
  }
  if (lacking) return;
  const std::uint32_t kept = rank_alignments(grown.alignments, grown.count);
  mark_competitors(grown.alignments, kept, view.length(read), view.options.scoring);
  room.counts[read] = kept;
}

/// Lists what is to be extended beside the longest hits. An alignment that is not known yet explains nothing.
__global__ void __launch_bounds__(threads_per_block)
    foresee_kernel(PlacingView view, ChainsView chains, const Alignment* extended, View<std::uint32_t> order,
                   GrowthRoom room, ForeseenView foreseen, std::uint32_t* next) {
  for_each_taken(order.size, next, [&](std::uint64_t taken) {
    const std::uint32_t read = order[taken];
    if (room.counts[read] != not_grown) return;
    grow_read(view, chains, read, room, [&](std::uint32_t c, std::uint32_t h, std::uint32_t i, std::uint64_t place) {
      if (i == 0) return extended[chains.begins[read] + c];
      if (lane_id() == 0) {
        const std::uint32_t task = atomicAdd(foreseen.count, 1U);
        foreseen.tasks[task] = {read, c, h};
        foreseen.places[place] = task + 1;
      }
      return Alignment();
    });
  });
}

/// Grows and ranks what no thread has; reads with many hits to grow from come first. ranked: as room.alignments.
__global__ void __launch_bounds__(threads_per_block, 3)
    grow_kernel(PlacingView view, ChainsView chains, const Alignment* extended, View<std::uint32_t> order,
                GrowthRoom room, ForeseenView foreseen, Alignment* ranked, GrowthScratch scratch, std::uint32_t* next) {
  __shared__ ExtensionMemory shared[threads_per_block / warp_threads];
  const WarpExtender extender = scratch.of_warp(shared);
  for_each_taken(order.size, next, [&](std::uint64_t taken) {
    const std::uint32_t read = order[taken];
    if (room.counts[read] != not_grown) return;
    const GrownAlignments grown = grow_read(
        view, chains, read, room, [&](std::uint32_t c, std::uint32_t h, std::uint32_t i, std::uint64_t place) {
          if (i == 0) return extended[chains.begins[read] + c];
          const std::uint32_t task = foreseen.places[place];
          if (task > 0) return foreseen.extended[task - 1];
          return extend(view, read, chains.hits[view.hit_begin(read) + h], extender);
        });
    const std::uint32_t kept = rank_by_warp(grown.alignments, grown.count, view.length(read), view.options.scoring,
                                            ranked + room.begins[read]);
    if (lane_id() == 0) room.counts[read] = kept;
  });
}

__global__ void count_room_kernel(View<std::uint64_t> begins, std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read + 1 < begins.size) counts[read] = static_cast<std::uint32_t>(begins[read + 1] - begins[read]);
}

/// Scratch and the counter of a kernel whose warps take what is next.
class Growth {
 public:
  /// jobs: of a kernel, at most.
  Growth(const PlacingView& view, std::uint32_t longest, std::uint64_t jobs, const Stream& stream) : next_(1, stream) {
    const auto length = static_cast<std::int32_t>(longest);
    reach_ = static_cast<std::uint64_t>(genome_reach(length, view.options.band, view.options.scoring));
    row_ = longest + 2;
    constexpr std::uint64_t warps_a_block = threads_per_block / warp_threads;
    const std::uint64_t a_warp = reach_ + row_ * sizeof(ExtensionCell);
    const std::uint64_t blocks =
        std::min({scratch_bytes / a_warp, growing_warps, jobs + warps_a_block}) / warps_a_block;
    warps_ = std::max<std::uint64_t>(blocks, 1) * warps_a_block;
    windows_ = Buffer<std::uint8_t>(warps_ * reach_, stream);
    rows_ = Buffer<ExtensionCell>(warps_ * row_, stream);
  }

  std::uint64_t threads() const { return warps_ * warp_threads; }
  GrowthScratch scratch() { return {windows_.data(), rows_.data(), reach_, row_}; }
  std::uint32_t* begin() {
    next_.fill_zero();
    return next_.data();
  }

 private:
  std::uint64_t reach_, row_, warps_;
  Buffer<std::uint8_t> windows_;
  Buffer<ExtensionCell> rows_;
  Buffer<std::uint32_t> next_;
};

}  // namespace

DeviceAlignments grow_alignments(const PlacingView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream) {
  const Buffer<std::uint64_t> task_begins = sums_before(chains.counts.view(), stream);
  const ChainsView all = {chains.hits.data(), chains.promises.data(), chains.chains.data(),
                          chains.kept.data(), chains.counts.data(),   task_begins.view()};
  Buffer<Task> tasks(task_begins.value_at(view.read_count), stream);
  Growth growth(view, longest, std::max(tasks.size(), view.read_count), stream);
  launch("list_tasks_kernel", list_tasks_kernel, view.read_count, stream, view, all, tasks.data());
  const auto extend_all = [&](View<Task> wanted) {
    Buffer<Alignment> found(wanted.size, stream);
    if (wanted.size == 0) return found;
    launch("extend_kernel", extend_kernel, growth.threads(), stream, view, all, wanted, growth.scratch(), found.data(),
           growth.begin());
    return found;
  };
  const Buffer<Alignment> extended = extend_all(tasks.view());

  Buffer<std::uint64_t> begins = std::move(chains.room);
  exclusive_sum(begins, stream);
  const std::uint64_t most = begins.value_at(view.read_count);
  DeviceAlignments result = {Buffer<Alignment>(most, stream), std::move(begins),
                             Buffer<std::uint32_t>(view.read_count, stream)};
  Buffer<Alignment> grown(most, stream);
  Buffer<std::uint32_t> origins(most, stream), orders(most, stream);
  launch("count_room_kernel", count_room_kernel, view.read_count, stream, result.begins.view(), result.counts.data());
  const Buffer<std::uint32_t> order = largest_first(result.counts, stream);
  const GrowthRoom room = {result.begins.view(), grown.data(), origins.data(), orders.data(), result.counts.data()};
  launch("grow_alone_kernel", grow_alone_kernel, view.read_count, stream, view, all, extended.data(), room,
         result.alignments.data());
  Buffer<Task> foreseen_tasks(most, stream);
  Buffer<std::uint32_t> places(most, stream), foreseen_count(1, stream);
  places.fill_zero(), foreseen_count.fill_zero();
  ForeseenView foreseen = {foreseen_tasks.data(), foreseen_count.data(), places.data(), nullptr};
  launch("foresee_kernel", foresee_kernel, growth.threads(), stream, view, all, extended.data(), order.view(), room,
         foreseen, growth.begin());
  const Buffer<Alignment> more = extend_all(foreseen_tasks.view().part(0, foreseen_count.value_at(0)));
  foreseen.extended = more.data();
  launch("grow_kernel", grow_kernel, growth.threads(), stream, view, all, extended.data(), order.view(), room, foreseen,
         result.alignments.data(), growth.scratch(), growth.begin());
  return result;
}

}  // namespace warpseed::cuda
