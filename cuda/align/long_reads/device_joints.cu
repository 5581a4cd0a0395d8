// A thread a read lists the joints of its best chain, a thread a joint decides whether it needs a DP, and warps compute
// these, in two classes by the memory that their steps take. CIGARs are put where there is room, and gathered at the end.
#include "align/long_reads/device_joints.cuh"

#include <algorithm>

#include "align/extend/warp_genome.cuh"
#include "align/long_reads/chain_path_core.hpp"
#include "align/long_reads/warp_two_piece_dp.cuh"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t small_bytes = 16 << 10;   // of the steps of pieces of some 100 bases
constexpr std::uint64_t large_bytes = 288 << 10;  // of the longest pieces
constexpr std::uint64_t elements_a_joint = 16;    // room for several times what joints of noisy reads have

/// A joint that may need a DP.
struct JointTask {
  Corner begin;
  std::uint32_t query_length, genome_length;
  std::uint32_t strand;
  std::uint32_t slot;  // of its path

  __device__ ChainJoint joint() const { return {begin, {begin.query + query_length, begin.genome + genome_length}}; }
  __device__ TwoPieceStrips strips() const {
    return {static_cast<std::int32_t>(query_length), static_cast<std::int32_t>(genome_length), band_of(joint())};
  }
};

/// The best chains of reads.
struct BestChains {
  const Anchor* anchors;
  View<std::uint64_t> anchor_begins, chain_begins;
  const AnchorChain* chains;
  const std::uint32_t* best;

  /// Empty if a read has none.
  __device__ AnchorChain of(std::uint64_t read) const {
    if (chain_begins[read] == chain_begins[read + 1]) return {};
    return chains[chain_begins[read] + best[read]];
  }
};

__global__ void count_best_kernel(BestChains chains, View<std::uint32_t> lengths, std::uint32_t* counts) {
  const std::uint64_t read = thread_index();
  if (read < lengths.size) counts[read] = chains.of(read).count;
}

/// scores, next: [slots] of choose_path().
__global__ void list_joints_kernel(BestChains chains, View<std::uint64_t> slots, LongScoring scoring,
                                   std::int32_t* scores, std::uint32_t* next, Appender<JointTask> tasks) {
  const std::uint64_t read = thread_index();
  if (read + 1 >= slots.size) return;
  const AnchorChain best = chains.of(read);
  if (best.count == 0) return;
  const Anchor* const anchors = chains.anchors + chains.anchor_begins[read] + best.first;
  const std::uint32_t strand = strand_number(read, anchors[0].reverse);
  scores += slots[read], next += slots[read];
  const ChainPathEnds ends = choose_path(anchors, best.count, scoring, scores, next);
  for_each_joint(anchors, ends, next, [&](std::uint32_t i, const ChainJoint& joint) {
    constexpr auto longest = static_cast<std::uint64_t>(longest_warp_piece);
    const std::uint64_t query_length = joint.query_length(), genome_length = joint.genome_length();
    if (query_length == 0 || genome_length == 0 || query_length > longest || genome_length > longest) return;
    tasks.add({joint.begin, static_cast<std::uint32_t>(query_length), static_cast<std::uint32_t>(genome_length), strand,
               static_cast<std::uint32_t>(slots[read] + i)});
  });
}

/// Is the path of a joint not ungapped, as ChainAligner decides it? Joints of equal lengths over an N of the genome are
/// left to the host.
__device__ bool needs_dp(const JointTask& task, const PackedStrand& query, const text::GenomeView& genome,
                         const LongScoring& scoring) {
  if (task.query_length != task.genome_length) return true;
  const TextPos text = text::whole_in_text(genome, task.begin.genome, task.genome_length);
  if (text == text::no_text_pos) return false;
  const std::int32_t most = most_lost_ungapped(scoring);
  std::int32_t lost = 0;
  for (std::uint32_t i = 0; i < task.query_length && lost <= most; ++i) {
    const std::uint32_t j = task.begin.query + i;
    lost += lost_by(scoring, query.unknown[j] != 0 ? text::code_n : query.bases[j], genome.text[text + i]);
  }
  return lost > most;
}

/// Sorts the joints that need a DP by the memory for its steps.
__global__ void pick_tasks_kernel(View<JointTask> tasks, LongReadsView reads, text::GenomeView genome,
                                  LongScoring scoring, Appender<std::uint32_t> small, Appender<std::uint32_t> large) {
  const std::uint64_t i = thread_index();
  std::uint64_t bytes = 0;
  if (i < tasks.size) {
    const JointTask& task = tasks[i];
    const PackedStrand query = reads.strand(task.strand / 2, task.strand % 2 != 0);
    if (needs_dp(task, query, genome, scoring)) bytes = task.strips().step_bytes();
  }
  small.add_by_warp(bytes > 0 && bytes <= small_bytes, static_cast<std::uint32_t>(i));
  large.add_by_warp(bytes > small_bytes && bytes <= large_bytes, static_cast<std::uint32_t>(i));
}

/// The array of CIGARs, in any order. One that finds no room stays unknown.
struct ElementArray {
  std::uint32_t *first, *used;
  std::uint64_t size;

  /// Adds `count` elements of a warp, reversed.
  __device__ JointPath put(const std::uint32_t* elements, std::uint32_t count) const {
    std::uint32_t begin = 0;
    if (lane_id() == 0 && count > 0) begin = atomicAdd(used, count);
    begin = __shfl_sync(all_lanes, begin, 0);
    if (std::uint64_t{begin} + count > size) return {};
    for_lanes(count, [&](std::uint32_t i) { first[begin + i] = elements[count - 1 - i]; });
    return {begin, count};
  }
};

__global__ void align_joints_kernel(View<JointTask> tasks, View<std::uint32_t> list, std::uint32_t* next,
                                    LongReadsView reads, text::GenomeView genome, LongScoring scoring,
                                    std::uint64_t step_bytes, std::uint8_t* steps, ElementArray elements,
                                    JointPath* paths) {
  __shared__ TwoPieceMemory memory[threads_per_block / warp_threads];
  std::uint8_t* const own_steps = steps + thread_index() / warp_threads * step_bytes;
  TwoPieceMemory& own = memory[threadIdx.x / warp_threads];
  for_each_job(list.size, next, [&](std::uint32_t job) {
    const JointTask task = tasks[list[job]];
    WarpTwoPieceDp dp(task.strips(), scoring, own, own_steps);
    dp.fill(reads.strand(task.strand / 2, task.strand % 2 != 0), task.begin.query, genome, task.begin.genome);
    const JointPath path = elements.put(own.elements, dp.walk());
    if (lane_id() == 0) paths[task.slot] = path;
  });
}

__global__ void count_elements_kernel(View<JointPath> paths, std::uint32_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < paths.size) counts[i] = paths[i].count;
}

/// Copies CIGARs to where they are in the order of their paths.
__global__ void gather_elements_kernel(JointPath* paths, View<std::uint64_t> begins, const std::uint32_t* from,
                                       std::uint32_t* to) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= begins.size) return;
  const JointPath path = paths[i];
  for (std::uint32_t k = 0; k < path.count; ++k) to[begins[i] + k] = from[path.first + k];
  paths[i].first = static_cast<std::uint32_t>(begins[i]);
}

/// The joints that need a DP, by class.
struct JointTasks {
  Buffer<JointTask> tasks;
  Buffer<std::uint32_t> small, large;
  std::uint64_t count = 0, small_count = 0, large_count = 0;

  View<JointTask> view() const { return {tasks.data(), count}; }
};

JointTasks find_tasks(const AlignmentDeviceData& index, const LongReadsView& reads, const BestChains& best,
                      const Buffer<std::uint64_t>& slots, std::uint64_t slot_count, const Stream& stream) {
  const auto room = static_cast<std::uint32_t>(slot_count);
  JointTasks found;
  found.tasks = Buffer<JointTask>(room, stream);
  Buffer<std::int32_t> scores(room, stream);
  Buffer<std::uint32_t> next(room, stream), counts(3, stream);
  counts.fill_zero();
  launch("list_joints_kernel", list_joints_kernel, reads.count(), stream, best, slots.view(),
         index.options().long_scoring, scores.data(), next.data(),
         Appender<JointTask>{found.tasks.data(), counts.data(), room});
  found.count = counts.value_at(0);
  found.small = Buffer<std::uint32_t>(found.count, stream), found.large = Buffer<std::uint32_t>(found.count, stream);
  launch("pick_tasks_kernel", pick_tasks_kernel, found.count, stream, found.view(), reads, index.genome(),
         index.options().long_scoring, Appender<std::uint32_t>{found.small.data(), counts.data() + 1, room},
         Appender<std::uint32_t>{found.large.data(), counts.data() + 2, room});
  found.small_count = counts.value_at(1), found.large_count = counts.value_at(2);
  return found;
}

}  // namespace

DeviceJointPaths align_joints(const AlignmentDeviceData& index, const LongReadsView& reads,
                              const DeviceAnchorChains& chains, std::uint64_t memory_bytes, const Stream& stream) {
  const BestChains best = {chains.anchors.data(), chains.anchor_begins.view(), chains.chain_begins.view(),
                           chains.chains.data(), chains.best.data()};
  Buffer<std::uint32_t> counts(reads.count(), stream);
  launch("count_best_kernel", count_best_kernel, reads.count(), stream, best, reads.lengths, counts.data());
  DeviceJointPaths result;
  result.begins = exclusive_sums(counts.view(), stream);
  const std::uint64_t slot_count = result.begins.value_at(reads.count());
  result.paths = Buffer<JointPath>(slot_count, stream);
  result.paths.fill_zero();
  const JointTasks tasks = find_tasks(index, reads, best, result.begins, slot_count, stream);

  Buffer<std::uint32_t> pool((tasks.small_count + tasks.large_count) * elements_a_joint, stream), used(1, stream);
  used.fill_zero();
  const ElementArray array = {pool.data(), used.data(), pool.size()};
  const auto align = [&](const Buffer<std::uint32_t>& list, std::uint64_t count, std::uint64_t step_bytes) {
    constexpr std::uint64_t block_warps = threads_per_block / warp_threads, most_warps = 4096;
    const std::uint64_t wanted = std::min({count, most_warps, memory_bytes / step_bytes});
    const std::uint64_t warps = (wanted / block_warps + 1) * block_warps;
    if (count == 0) return;
    Buffer<std::uint8_t> steps(warps * step_bytes, stream);
    Buffer<std::uint32_t> next(1, stream);
    next.fill_zero();
    launch("align_joints_kernel", align_joints_kernel, warps * warp_threads, stream, tasks.view(),
           View<std::uint32_t>(list.data(), count), next.data(), reads, index.genome(), index.options().long_scoring,
           step_bytes, steps.data(), array, result.paths.data());
  };
  align(tasks.small, tasks.small_count, small_bytes);
  align(tasks.large, tasks.large_count, large_bytes);

  Buffer<std::uint32_t> element_counts(slot_count, stream);
  launch("count_elements_kernel", count_elements_kernel, slot_count, stream, result.paths.view(),
         element_counts.data());
  const Buffer<std::uint64_t> begins = exclusive_sums(element_counts.view(), stream);
  result.elements = Buffer<std::uint32_t>(begins.value_at(slot_count), stream);
  launch("gather_elements_kernel", gather_elements_kernel, slot_count, stream, result.paths.data(), begins.view(),
         pool.data(), result.elements.data());
  return result;
}

}  // namespace warpseed::align::cuda
