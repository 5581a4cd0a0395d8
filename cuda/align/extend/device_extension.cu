// Extension of the chains of a part of a batch to alignments.
#include "align/extend/device_extension.cuh"

#include <algorithm>
#include <utility>

#include "align/extend/growth_scratch.cuh"
#include "align/extend/ungapped_core.hpp"
#include "align/extend/warp_grow.cuh"
#include "align/select/warp_rank.cuh"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t growing_warps = 40;  // per multiprocessor; more than can run at a time gain nothing

constexpr std::uint32_t few_hits = 8;  // of a read that one thread handles

/// The extension of a hit of a chain. Hit and chain are indices relative to the read's first.
struct Task {
  std::uint32_t read, chain, hit;
};

struct ChainsView {
  const SeedHit* hits;
  const std::int32_t* ungapped_scores;
  const Chain* all_chains;
  const std::uint32_t* kept;
  const std::uint32_t* counts;
  View<std::uint64_t> begins;  // [reads + 1] where the tasks of each read begin

  /// The c-th kept chain of a read whose hits begin at `begin`.
  __device__ const Chain& chain(std::uint64_t begin, std::uint32_t c) const {
    return all_chains[begin + kept[begin + c]];
  }
  __device__ const SeedHit& hit(const AlignmentView& view, const Task& task) const {
    return hits[view.hit_begin(task.read) + task.hit];
  }
  /// Of a read with chains.
  __device__ GapLimits limits(const AlignmentView& view, std::uint32_t read) const {
    return gap_limits(chain(view.hit_begin(read), 0), view.length(read), view.options);
  }
};

__global__ void list_tasks_kernel(AlignmentView view, ChainsView chains, Task* tasks) {
  const std::uint64_t read = thread_index();
  if (read >= view.read_count) return;
  const std::uint64_t begin = view.hit_begin(read), first = chains.begins[read];
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    tasks[first + c] = {static_cast<std::uint32_t>(read), c, longest_hit(chains.chain(begin, c), chains.hits + begin)};
  }
}

__device__ Alignment extend(const AlignmentView& view, const ChainsView& chains, std::uint32_t read, const SeedHit& hit,
                            const WarpExtender& extender) {
  const std::uint64_t orientation = 2 * (view.first_read + read) + (hit.reverse ? 1 : 0);
  return Alignment(extend_hit(view.genome, view.reads.codes_of(orientation), view.length(read), hit,
                              chains.limits(view, read), view.options.scoring, extender));
}

/// A list of task numbers, on the device.
struct TaskList {
  const std::uint32_t *numbers, *count;
};

/// One thread per task: extends hits that certainly have no gap, which are most, and lists the others.
__global__ void __launch_bounds__(threads_per_block)
    extend_ungapped_kernel(AlignmentView view, ChainsView chains, View<Task> tasks, Alignment* extended,
                           Appender<std::uint32_t> left) {
  const std::uint64_t i = thread_index();
  bool certain = true;
  if (i < tasks.size) {
    const std::uint32_t read = tasks[i].read;
    const SeedHit hit = chains.hit(view, tasks[i]);
    const PackedStrand reversed = view.reads.orientation(2 * (view.first_read + read) + (hit.reverse ? 1 : 0));
    const HitContext context(view.genome, hit);
    const Scoring& scoring = view.options.scoring;
    const GapLimits limits = chains.limits(view, read);
    const LocalAlignment found =
        grow_hit(hit, reversed.length(), scoring, [&](bool leftwards, std::int32_t start_score) {
          Extension ends;
          certain = certain && try_extend_ungapped(view.genome.text, reversed, hit, context, leftwards, start_score,
                                                   limits, scoring, ends);
          return ends;
        });
    if (certain) extended[i] = Alignment(found);
  }
  left.add_by_warp(!certain, static_cast<std::uint32_t>(i));
}

__global__ void __launch_bounds__(threads_per_block, 3)
    extend_kernel(AlignmentView view, ChainsView chains, View<Task> tasks, TaskList left, GrowthScratch scratch,
                  Alignment* extended, std::uint32_t* next) {
  __shared__ ExtensionMemory shared[warps_per_block];
  const WarpExtender extender = scratch.of_warp(shared);
  for_each_job(*left.count, next, [&](std::uint64_t taken) {
    const std::uint32_t i = left.numbers[taken];
    const Alignment found = extend(view, chains, tasks[i].read, chains.hit(view, tasks[i]), extender);
    if (lane_id() == 0) extended[i] = found;
  });
}

/// The memory in which the alignments of reads are built.
struct GrowthRoom {
  View<std::uint64_t> begins;  // [reads + 1]
  Alignment* alignments;
  std::uint32_t* origins;
  std::uint32_t* orders;  // of hits
  std::uint32_t* owners;  // the chain of each hit
  std::uint32_t* counts;  // [reads]
};

/// Extensions of hits that are not the longest of their chains. A read may need a hundred, one after the other. The
/// tasks are predicted from the extensions known so far, and all of them run at the same time. Two rounds suffice for
/// nearly all reads.
struct PredictedExtensions {
  Task* tasks;           // [hits of kept chains] of both rounds
  std::uint32_t* count;  // of tasks
  std::uint32_t* links;  // [hits of kept chains] in processing order: 0, or the task's number + 1
  std::uint32_t first_count;
  const Alignment *first, *second;  // the results of each round's tasks

  __device__ const Alignment& extended(std::uint32_t link) const {
    return link <= first_count ? first[link - 1] : second[link - 1 - first_count];
  }
  __device__ void add(const Task& task, std::uint64_t hit) const {
    const std::uint32_t number = atomicAdd(count, 1U);
    tasks[number] = task;
    links[hit] = number + 1;
  }
};

/// Builds and ranks the alignments of a read with few hits in one thread. Returns false if the precomputed extensions
/// do not suffice. ranked: indexed like room.alignments.
__device__ bool grow_by_thread(const AlignmentView& view, const ChainsView& chains, std::uint64_t read,
                               const Alignment* extended, const GrowthRoom& room, Alignment* ranked) {
  const std::uint64_t begin = view.hit_begin(read), room_begin = room.begins[read];
  if (room.begins[read + 1] - room_begin > few_hits) return false;
  bool lacking = false;
  GrownAlignments grown = {ranked + room_begin, room.origins + room_begin, 0};
  for (std::uint32_t c = 0; c < chains.counts[read]; ++c) {
    grow_chain(
        chains.chain(begin, c), chains.hits + begin, room.orders + room_begin, view.number(read), view.options.band,
        [&](std::uint32_t h) { return chains.ungapped_scores[begin + h]; },
        [&](std::uint32_t, bool longest) {
          lacking = lacking || !longest;
          return extended[chains.begins[read] + c];
        },
        grown);
  }
  if (lacking) return false;
  const std::uint32_t kept = rank_alignments(grown.alignments, grown.count, view.number(read));
  mark_competitors(grown.alignments, kept, view.length(read), view.options.scoring);
  room.counts[read] = kept;
  return true;
}

__global__ void grow_by_thread_kernel(AlignmentView view, ChainsView chains, const Alignment* extended, GrowthRoom room,
                                      Alignment* ranked, Appender<std::uint32_t> left) {
  const std::uint64_t read = thread_index();
  const bool grown = read >= view.read_count || grow_by_thread(view, chains, read, extended, room, ranked);
  left.add_by_warp(!grown, static_cast<std::uint32_t>(read));
}

__global__ void count_room_kernel(View<std::uint64_t> begins, View<std::uint32_t> reads, std::uint32_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < reads.size) counts[i] = static_cast<std::uint32_t>(begins[reads[i] + 1] - begins[reads[i]]);
}

__global__ void reorder_kernel(View<std::uint32_t> values, const std::uint32_t* order, std::uint32_t* ordered) {
  const std::uint64_t i = thread_index();
  if (i < values.size) ordered[i] = values[order[i]];
}

__global__ void list_chain_hits_kernel(AlignmentView view, ChainsView chains, View<std::uint32_t> reads,
                                       GrowthRoom room) {
  const std::uint64_t i = thread_index() / warp_threads;
  if (i >= reads.size) return;
  const std::uint64_t begin = view.hit_begin(reads[i]), room_begin = room.begins[reads[i]];
  list_hits_by_warp(
      chains.counts[reads[i]], [&](std::uint32_t c) -> const Chain& { return chains.chain(begin, c); },
      chains.hits + begin, room.orders + room_begin, room.owners + room_begin);
}

/// Builds and ranks the alignments of reads whose hits are listed. If a read lacks extensions, they are predicted, see
/// PredictedExtensions, and the read goes to the next round, `again`. The last round extends missing hits immediately. ranked:
/// indexed like room.alignments.
template <bool last>
__global__ void __launch_bounds__(threads_per_block, 3)
    grow_kernel(AlignmentView view, ChainsView chains, const Alignment* extended, View<std::uint32_t> reads,
                GrowthRoom room, PredictedExtensions foreseen, Alignment* ranked, GrowthScratch scratch,
                std::uint32_t* next, Appender<std::uint32_t> again) {
  __shared__ ExtensionMemory shared[last ? warps_per_block : 1];
  const WarpExtender extender = scratch.of_warp(last ? shared : nullptr);
  for_each_job(reads.size, next, [&](std::uint64_t taken) {
    const std::uint32_t read = reads[taken];
    const std::uint64_t begin = view.hit_begin(read), room_begin = room.begins[read];
    const std::uint64_t number = view.number(read), first_task = chains.begins[read];
    const HitList list = {room.orders + room_begin, room.owners + room_begin,
                          static_cast<std::uint32_t>(room.begins[read + 1] - room_begin)};
    GrownAlignments grown = {room.alignments + room_begin, room.origins + room_begin, 0};
    bool lacking = false;
    const auto extended_of = [&](std::uint32_t t, std::uint32_t h, std::uint32_t c, bool longest, Alignment& found) {
      const std::uint32_t link = longest ? 0 : foreseen.links[room_begin + t];
      if (longest) {
        found = extended[first_task + c];
      } else if (link > 0) {
        found = foreseen.extended(link);
      } else if (last) {
        found = extend(view, chains, read, chains.hits[begin + h], extender);
      } else {
        lacking = true;
        __syncwarp();  // all lanes have read that there is none
        if (lane_id() == 0) foreseen.add({read, c, h}, room_begin + t);
        return false;  // an unknown alignment makes no other hit redundant
      }
      found.tie = tie_hash(found, number);
      found.alt = view.options.is_alt(found.contig);
      return true;
    };
    grow_by_warp(list, chains.hits + begin, chains.ungapped_scores + begin, view.options.band, grown, extended_of,
                 [&](std::uint32_t c) { prefetch_l2(&extended[first_task + c]); });
    if (lacking) {
      if (lane_id() == 0) again.add(read);
      return;
    }
    const std::uint32_t kept = rank_by_warp(grown.alignments, grown.count, view.length(read), number,
                                            view.options.scoring, ranked + room_begin);
    if (lane_id() == 0) room.counts[read] = kept;
  });
}

/// The scratch and the counter of a kernel whose warps take the next job.
class Growth {
 public:
  /// jobs: maximum of a kernel.
  Growth(const AlignmentView& view, std::uint32_t longest, std::uint64_t jobs, const Stream& stream)
      : scratch_(view.options, longest, jobs, growing_warps * multiprocessors(stream.device()), stream),
        next_(1, stream) {}

  std::uint64_t threads() const { return scratch_.threads(); }
  GrowthScratch scratch() { return scratch_.scratch(); }
  std::uint32_t* begin() {
    next_.fill_zero();
    return next_.data();
  }

 private:
  GrowthScratchBuffer scratch_;
  Buffer<std::uint32_t> next_;
};

/// Extends hits with one thread each, and the rest with one warp each.
Buffer<Alignment> extend_all(const AlignmentView& view, const ChainsView& chains, View<Task> tasks, Growth& growth,
                             const Stream& stream) {
  Buffer<Alignment> found(tasks.size, stream);
  if (tasks.size == 0) return found;
  Buffer<std::uint32_t> left(tasks.size, stream), count(1, stream);
  count.fill_zero();
  launch("extend_ungapped_kernel", extend_ungapped_kernel, tasks.size, stream, view, chains, tasks, found.data(),
         Appender<std::uint32_t>{left.data(), count.data(), static_cast<std::uint32_t>(tasks.size)});
  launch("extend_kernel", extend_kernel, growth.threads(), stream, view, chains, tasks,
         TaskList{left.data(), count.data()}, growth.scratch(), found.data(), growth.begin());
  return found;
}

/// The memory of GrowthRoom that is not part of the result.
struct GrowthMemory {
  Buffer<Alignment> alignments;
  Buffer<std::uint32_t> origins, orders, owners;

  GrowthMemory(std::uint64_t most, const Stream& stream)
      : alignments(most, stream), origins(most, stream), orders(most, stream), owners(most, stream) {}

  GrowthRoom room(DeviceAlignments& result) {
    return {result.begins.view(), alignments.data(), origins.data(),
            orders.data(),        owners.data(),     result.counts.data()};
  }
};

/// Lists the remaining reads, in any order. Returns their number. left: [reads]
std::uint64_t grow_by_thread(const AlignmentView& view, const ChainsView& chains, const Buffer<Alignment>& extended,
                             const GrowthRoom& room, Alignment* ranked, Buffer<std::uint32_t>& left,
                             const Stream& stream) {
  Buffer<std::uint32_t> count(1, stream);
  count.fill_zero();
  launch("grow_by_thread_kernel", grow_by_thread_kernel, view.read_count, stream, view, chains, extended.data(), room,
         ranked, Appender<std::uint32_t>{left.data(), count.data(), static_cast<std::uint32_t>(left.size())});
  return count.value_at(0);
}

/// Sorts reads by their number of hits, the largest first.
Buffer<std::uint32_t> most_hits_first(View<std::uint32_t> reads, View<std::uint64_t> begins, const Stream& stream) {
  Buffer<std::uint32_t> hits(reads.size, stream), ordered(reads.size, stream);
  launch("count_room_kernel", count_room_kernel, reads.size, stream, begins, reads, hits.data());
  const Buffer<std::uint32_t> order = largest_first(hits, stream);
  launch("reorder_kernel", reorder_kernel, reads.size, stream, reads, order.data(), ordered.data());
  return ordered;
}

void grow_left(const AlignmentView& view, const ChainsView& chains, const Buffer<Alignment>& extended,
               View<std::uint32_t> left, const GrowthRoom& room, std::uint64_t most, Alignment* ranked, Growth& growth,
               const Stream& stream) {
  Buffer<std::uint32_t> reads = most_hits_first(left, room.begins, stream);
  launch("list_chain_hits_kernel", list_chain_hits_kernel, warp_threads * reads.size(), stream, view, chains,
         reads.view(), room);
  Buffer<Task> tasks(most, stream);
  Buffer<std::uint32_t> links(most, stream), count(1, stream), again_count(1, stream);
  links.fill_zero(), count.fill_zero();
  PredictedExtensions foreseen = {tasks.data(), count.data(), links.data(), 0, nullptr, nullptr};
  Buffer<Alignment> found[2];
  std::uint64_t read_count = reads.size(), task_count = 0;
  for (int round = 0; read_count > 0; ++round) {
    Buffer<std::uint32_t> again(read_count, stream);
    again_count.fill_zero();
    launch("grow_kernel", round < 2 ? grow_kernel<false> : grow_kernel<true>, growth.threads(), stream, view, chains,
           extended.data(), reads.view().part(0, read_count), room, foreseen, ranked, growth.scratch(), growth.begin(),
           Appender<std::uint32_t>{again.data(), again_count.data(), static_cast<std::uint32_t>(again.size())});
    read_count = again_count.value_at(0);
    if (read_count == 0) return;
    const std::uint64_t known = task_count;
    task_count = count.value_at(0);
    found[round] = extend_all(view, chains, tasks.view().part(known, task_count), growth, stream);
    if (round == 0) foreseen.first_count = static_cast<std::uint32_t>(task_count);
    (round == 0 ? foreseen.first : foreseen.second) = found[round].data();
    reads = std::move(again);
  }
}

}  // namespace

DeviceAlignments grow_alignments(const AlignmentView& view, DeviceChains chains, std::uint32_t longest,
                                 const Stream& stream) {
  const Buffer<std::uint64_t> task_begins = exclusive_sums(chains.counts.view(), stream);
  const ChainsView all = {chains.hits.data(), chains.ungapped_scores.data(), chains.chains.data(),
                          chains.kept.data(), chains.counts.data(),          task_begins.view()};
  Buffer<Task> tasks(task_begins.value_at(view.read_count), stream);
  Growth growth(view, longest, std::max(tasks.size(), view.read_count), stream);
  launch("list_tasks_kernel", list_tasks_kernel, view.read_count, stream, view, all, tasks.data());
  const Buffer<Alignment> extended = extend_all(view, all, tasks.view(), growth, stream);

  Buffer<std::uint64_t> begins = std::move(chains.room);
  exclusive_sum(begins, stream);
  const std::uint64_t most = begins.value_at(view.read_count);
  DeviceAlignments result = {Buffer<Alignment>(most, stream), std::move(begins),
                             Buffer<std::uint32_t>(view.read_count, stream)};
  GrowthMemory memory(most, stream);
  const GrowthRoom room = memory.room(result);
  Alignment* const ranked = result.alignments.data();
  Buffer<std::uint32_t> left(view.read_count, stream);
  const std::uint64_t left_count = grow_by_thread(view, all, extended, room, ranked, left, stream);
  if (left_count > 0)
    grow_left(view, all, extended, left.view().part(0, left_count), room, most, ranked, growth, stream);
  return result;
}

}  // namespace warpseed::align::cuda
