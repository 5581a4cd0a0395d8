// Strands are cut into stretches of anchors that are too far from those before to follow them; a warp fills the arrays
// of a stretch, those with most anchors first. Anchors that may end a chain are sorted by read and score, and a warp a
// read collects its chains from them.
#include "align/long_reads/device_anchor_chains.cuh"

#include <algorithm>
#include <bit>

#include "align/long_reads/warp_anchor_chain.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

/// The strand of an anchor.
__device__ std::uint64_t strand_of(View<std::uint64_t> strand_begins, std::uint64_t anchor) {
  return text::last_not_above(strand_begins.size, anchor, [&](std::uint64_t k) { return strand_begins[k]; });
}

__global__ void find_longest_kernel(View<Anchor> anchors, View<std::uint64_t> strand_begins, std::uint32_t* longest) {
  const std::uint64_t i = thread_index();
  if (i < anchors.size) atomicMax(&longest[strand_of(strand_begins, i)], anchors[i].length);
}

/// Marks anchors that, like all after them on their strand, are too far from those before. longest: [strands] anchor.
__global__ void mark_stretches_kernel(View<Anchor> anchors, View<std::uint64_t> strand_begins,
                                      const std::uint32_t* longest, std::uint32_t* marks) {
  const std::uint64_t i = thread_index();
  if (i >= anchors.size) return;
  const std::uint64_t strand = strand_of(strand_begins, i);
  const bool first = i == strand_begins[strand];
  const auto furthest = static_cast<std::uint64_t>(max_anchor_distance) + longest[strand];
  marks[i] = first || anchors[i].genome_end() - anchors[i - 1].genome_end() > furthest ? 1 : 0;
}

__global__ void list_stretches_kernel(View<std::uint64_t> places, std::uint32_t* begins) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= places.size) {
    if (i + 1 == places.size) begins[places[i]] = static_cast<std::uint32_t>(i);  // where the last one ends
    return;
  }
  if (places[i] != places[i + 1]) begins[places[i]] = static_cast<std::uint32_t>(i);
}

/// The sizes of stretches that need a warp; anchors that are alone are filled here.
__global__ void size_stretches_kernel(View<Anchor> anchors, View<std::uint32_t> begins, ChainArrays chains,
                                      std::uint32_t* sizes) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= begins.size) return;
  const std::uint32_t first = begins[i], size = begins[i + 1] - first;
  sizes[i] = size > 1 ? size : 0;
  if (size > 1) return;
  chains.scores[first] = chains.highest[first] = static_cast<std::int32_t>(anchors[first].length);
  chains.previous[first] = no_anchor;
}

__global__ void fill_chains_kernel(const Anchor* anchors, View<std::uint32_t> begins, View<std::uint32_t> sizes,
                                   View<std::uint32_t> order, std::uint32_t* next, ChainArrays chains) {
  for_each_job(order.size, next, [&](std::uint32_t job) {
    const std::uint32_t begin = begins[order[job]];
    fill_chains_by_warp(anchors, begin, begin + sizes[order[job]], chains);
  });
}

__global__ void mark_ends_kernel(View<std::int32_t> scores, std::uint32_t* marks) {
  const std::uint64_t i = thread_index();
  if (i < scores.size) marks[i] = scores[i] >= min_chain_score ? 1 : 0;
}

/// Lists the anchors that may end a chain. Keys: the read, then the score, the highest first.
__global__ void list_ends_kernel(View<std::int32_t> scores, View<std::uint64_t> places,
                                 View<std::uint64_t> strand_begins, std::uint64_t* keys, std::uint32_t* ends) {
  const std::uint64_t i = thread_index();
  if (i >= scores.size || places[i] == places[i + 1]) return;
  keys[places[i]] = strand_of(strand_begins, i) / 2 << 32 | (0xFFFF'FFFFU - static_cast<std::uint32_t>(scores[i]));
  ends[places[i]] = static_cast<std::uint32_t>(i);
}

/// What the chains of reads are collected from, and where. Reads have their places from the places of their anchors and
/// ends on.
struct ChainCollection {
  View<std::uint64_t> strand_begins, end_places;
  const std::uint32_t* ends;      // as listed, sorted
  const std::int32_t* scores;     // see ChainArrays
  const std::uint32_t* previous;  //
  std::uint32_t* in_chain;        // [anchors] 1: in a chain, or in one that scores too little
  std::uint32_t* chained;         // anchors of chains, those of each read at the end of its places
  AnchorChain* chains;
  std::uint32_t *chained_counts, *chain_counts, *best;  // [reads]

  __device__ std::uint64_t anchors_begin(std::uint64_t read) const { return strand_begins[2 * read]; }
  __device__ std::uint64_t ends_begin(std::uint64_t read) const { return end_places[anchors_begin(read)]; }
};

/// Collects the chains of one read, by the first lane of a warp, from the back of the read's places to their front: a
/// chain is followed from its last anchor on.
class ChainCollector {
 public:
  __device__ ChainCollector(const ChainCollection& all, std::uint64_t read)
      : all_(all), chained_(all.chained + all.anchors_begin(read + 1)), chains_(all.chains + all.ends_begin(read)) {}

  /// Adds the chain that ends with an anchor, if that is in no chain and it scores enough.
  __device__ void add(std::uint32_t last) {
    std::uint32_t i = last, length = 0;
    for (; i != no_anchor && all_.in_chain[i] == 0; i = all_.previous[i]) {
      all_.in_chain[i] = 1;
      *(chained_ - used_ - ++length) = i;
    }
    if (length == 0) return;
    const std::int32_t score = all_.scores[last] - (i == no_anchor ? 0 : all_.scores[i]);
    if (score < min_chain_score) return;
    chains_[count_] = {used_ + length, length, score};  // from the end so far
    if (score > chains_[best_].score) best_ = count_;
    used_ += length, ++count_;
  }

  __device__ void finish(std::uint64_t read) const {
    for (std::uint32_t k = 0; k < count_; ++k) chains_[k].first = used_ - chains_[k].first;
    all_.chained_counts[read] = used_, all_.chain_counts[read] = count_, all_.best[read] = best_;
  }

 private:
  const ChainCollection& all_;
  std::uint32_t* const chained_;  // where the read's places end
  AnchorChain* const chains_;
  std::uint32_t used_ = 0, count_ = 0, best_ = 0;
};

/// AnchorChainer::collect() for a read, by a warp: its lanes look for ends that are in no chain.
__global__ void collect_chains_kernel(ChainCollection all, std::uint64_t reads) {
  const std::uint64_t read = thread_index() / warp_threads;
  if (read >= reads) return;
  const std::uint64_t ends_end = all.ends_begin(read + 1);
  ChainCollector collector(all, read);
  for (std::uint64_t first = all.ends_begin(read); first < ends_end; first += warp_threads) {
    const std::uint64_t i = first + lane_id();
    const std::uint32_t end = i < ends_end ? all.ends[i] : no_anchor;
    unsigned open = __ballot_sync(all_lanes, end != no_anchor && all.in_chain[end] == 0);
    while (open != 0) {
      const std::uint32_t last = __shfl_sync(all_lanes, end, static_cast<int>(pop_lowest_lane(open)));
      if (lane_id() == 0) collector.add(last);
    }
    __syncwarp();
  }
  if (lane_id() == 0) collector.finish(read);
}

/// Copies the chains of each read and their anchors to where they have no gaps between them. A warp a read.
__global__ void gather_chains_kernel(ChainCollection all, const Anchor* anchors, View<std::uint64_t> anchor_begins,
                                     View<std::uint64_t> chain_begins, Anchor* to, AnchorChain* chains_to) {
  const std::uint64_t read = thread_index() / warp_threads;
  if (read + 1 >= anchor_begins.size) return;
  const std::uint32_t count = all.chained_counts[read];
  const std::uint32_t* const chained = all.chained + all.anchors_begin(read + 1) - count;
  for_lanes(count, [&](std::uint32_t i) { to[anchor_begins[read] + i] = anchors[chained[i]]; });
  const AnchorChain* const chains = all.chains + all.ends_begin(read);
  for_lanes(all.chain_counts[read], [&](std::uint32_t i) { chains_to[chain_begins[read] + i] = chains[i]; });
}

/// The best chain that ends at each anchor.
struct FilledChains {
  Buffer<std::int32_t> scores, highest;
  Buffer<std::uint32_t> previous, seen;
};

FilledChains fill_chains(const ArrangedAnchors& arranged, const Stream& stream) {
  const View<Anchor> anchors = arranged.anchors.view();
  const View<std::uint64_t> strands = arranged.strand_begins.view();
  const std::uint64_t count = anchors.size;
  FilledChains filled = {Buffer<std::int32_t>(count, stream), Buffer<std::int32_t>(count, stream),
                         Buffer<std::uint32_t>(count, stream), Buffer<std::uint32_t>(count, stream)};
  const ChainArrays arrays = {filled.scores.data(), filled.highest.data(), filled.previous.data(), filled.seen.data()};
  Buffer<std::uint32_t> longest(strands.size, stream);
  longest.fill_zero();
  launch("find_longest_kernel", find_longest_kernel, count, stream, anchors, strands, longest.data());
  launch("mark_stretches_kernel", mark_stretches_kernel, count, stream, anchors, strands, longest.data(),
         filled.seen.data());
  const Buffer<std::uint64_t> places = exclusive_sums(filled.seen.view(), stream);
  filled.seen.fill_zero();
  const std::uint64_t stretches = places.value_at(count);
  Buffer<std::uint32_t> begins(stretches + 1, stream), sizes(stretches, stream), next(1, stream);
  next.fill_zero();
  launch("list_stretches_kernel", list_stretches_kernel, places.size(), stream, places.view(), begins.data());
  launch("size_stretches_kernel", size_stretches_kernel, stretches, stream, anchors, begins.view(), arrays,
         sizes.data());
  const Buffer<std::uint32_t> order = largest_first(sizes, stream);
  constexpr std::uint64_t most_warps = 16384;  // more than run at a time
  launch("fill_chains_kernel", fill_chains_kernel, std::min(stretches, most_warps) * warp_threads, stream, anchors.data,
         begins.view(), sizes.view(), order.view(), next.data(), arrays);
  return filled;
}

}  // namespace

DeviceAnchorChains chain_anchors(ArrangedAnchors arranged, const Stream& stream) {
  const std::uint64_t count = arranged.anchors.size(), reads = (arranged.strand_begins.size() - 1) / 2;
  FilledChains filled = fill_chains(arranged, stream);
  Buffer<std::uint32_t>& marks = filled.seen;  // has been used
  launch("mark_ends_kernel", mark_ends_kernel, count, stream, filled.scores.view(), marks.data());
  const Buffer<std::uint64_t> places = exclusive_sums(marks.view(), stream);
  const std::uint64_t end_count = places.value_at(count);
  SortablePairs<std::uint32_t> ends(end_count, stream);
  launch("list_ends_kernel", list_ends_kernel, count, stream, filled.scores.view(), places.view(),
         arranged.strand_begins.view(), ends.keys.data(), ends.values.data());
  ends.sort(end_count, 0, 32 + static_cast<unsigned>(std::bit_width(reads)), stream);
  ends.drop_spare();

  Buffer<std::uint32_t> in_chain(count, stream), chained(count, stream);
  in_chain.fill_zero();
  Buffer<AnchorChain> chains(end_count, stream);
  Buffer<std::uint32_t> chained_counts(reads, stream), chain_counts(reads, stream);
  DeviceAnchorChains result;
  result.best = Buffer<std::uint32_t>(reads, stream);
  const ChainCollection collection = {
      arranged.strand_begins.view(), places.view(),       ends.values.data(), filled.scores.data(),
      filled.previous.data(),        in_chain.data(),     chained.data(),     chains.data(),
      chained_counts.data(),         chain_counts.data(), result.best.data()};
  launch("collect_chains_kernel", collect_chains_kernel, reads * warp_threads, stream, collection, reads);
  result.anchor_begins = exclusive_sums(chained_counts.view(), stream);
  result.chain_begins = exclusive_sums(chain_counts.view(), stream);
  result.anchors = Buffer<Anchor>(result.anchor_begins.value_at(reads), stream);
  result.chains = Buffer<AnchorChain>(result.chain_begins.value_at(reads), stream);
  launch("gather_chains_kernel", gather_chains_kernel, reads * warp_threads, stream, collection,
         arranged.anchors.data(), result.anchor_begins.view(), result.chain_begins.view(), result.anchors.data(),
         result.chains.data());
  return result;
}

}  // namespace warpseed::align::cuda
