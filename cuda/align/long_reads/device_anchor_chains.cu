// A warp fills the arrays of a strand, those with most anchors first. Anchors that may end a chain are sorted by read and
// score, and a thread a read collects its chains from them.
#include "align/long_reads/device_anchor_chains.cuh"

#include <bit>

#include "align/long_reads/warp_anchor_chain.cuh"
#include "core/launch.cuh"
#include "core/ordering.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

__global__ void strand_sizes_kernel(View<std::uint64_t> begins, std::uint32_t* sizes) {
  const std::uint64_t i = thread_index();
  if (i + 1 < begins.size) sizes[i] = static_cast<std::uint32_t>(begins[i + 1] - begins[i]);
}

__global__ void fill_chains_kernel(const Anchor* anchors, View<std::uint64_t> strand_begins, View<std::uint32_t> order,
                                   std::uint32_t* next, ChainArrays chains) {
  for_each_job(order.size, next, [&](std::uint32_t job) {
    const std::uint32_t strand = order[job];
    fill_chains_by_warp(anchors, static_cast<std::uint32_t>(strand_begins[strand]),
                        static_cast<std::uint32_t>(strand_begins[strand + 1]), chains);
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
  const std::uint64_t strand =
      text::last_not_above(strand_begins.size, i, [&](std::uint64_t k) { return strand_begins[k]; });
  keys[places[i]] = strand / 2 << 32 | (0xFFFF'FFFFU - static_cast<std::uint32_t>(scores[i]));
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
  std::uint32_t* chained;         // anchors, chain by chain
  AnchorChain* chains;
  std::uint32_t *chained_counts, *chain_counts, *best;  // [reads]

  __device__ std::uint64_t anchors_begin(std::uint64_t read) const { return strand_begins[2 * read]; }
  __device__ std::uint64_t ends_begin(std::uint64_t read) const { return end_places[anchors_begin(read)]; }
};

/// AnchorChainer::collect() for a read.
__global__ void collect_chains_kernel(ChainCollection all, std::uint64_t reads) {
  const std::uint64_t read = thread_index();
  if (read >= reads) return;
  const std::uint64_t begin = all.anchors_begin(read), ends_end = all.ends_begin(read + 1);
  AnchorChain* const chains = all.chains + all.ends_begin(read);
  std::uint32_t used = 0, count = 0, best = 0;
  for (std::uint64_t end = all.ends_begin(read); end < ends_end; ++end) {
    const std::uint32_t last = all.ends[end];
    std::uint32_t i = last, length = 0;
    for (; i != no_anchor && all.in_chain[i] == 0; i = all.previous[i]) all.in_chain[i] = 1, ++length;
    if (length == 0) continue;
    const std::int32_t score = all.scores[last] - (i == no_anchor ? 0 : all.scores[i]);
    if (score < min_chain_score) continue;
    std::uint32_t* const chained = all.chained + begin + used;
    i = last;
    for (std::uint32_t k = length; k-- > 0; i = all.previous[i]) chained[k] = i;
    chains[count] = {used, length, score};
    if (score > chains[best].score) best = count;
    used += length, ++count;
  }
  all.chained_counts[read] = used, all.chain_counts[read] = count, all.best[read] = best;
}

/// Copies the chains of each read and their anchors to where they have no gaps between them. A warp a read.
__global__ void gather_chains_kernel(ChainCollection all, const Anchor* anchors, View<std::uint64_t> anchor_begins,
                                     View<std::uint64_t> chain_begins, Anchor* to, AnchorChain* chains_to) {
  const std::uint64_t read = thread_index() / warp_threads;
  if (read + 1 >= anchor_begins.size) return;
  const std::uint32_t* const chained = all.chained + all.anchors_begin(read);
  for_lanes(all.chained_counts[read], [&](std::uint32_t i) { to[anchor_begins[read] + i] = anchors[chained[i]]; });
  const AnchorChain* const chains = all.chains + all.ends_begin(read);
  for_lanes(all.chain_counts[read], [&](std::uint32_t i) { chains_to[chain_begins[read] + i] = chains[i]; });
}

/// The best chain that ends at each anchor.
struct FilledChains {
  Buffer<std::int32_t> scores, highest;
  Buffer<std::uint32_t> previous, seen;
};

FilledChains fill_chains(const ArrangedAnchors& arranged, const Stream& stream) {
  const std::uint64_t count = arranged.anchors.size(), strands = arranged.strand_begins.size() - 1;
  FilledChains filled = {Buffer<std::int32_t>(count, stream), Buffer<std::int32_t>(count, stream),
                         Buffer<std::uint32_t>(count, stream), Buffer<std::uint32_t>(count, stream)};
  filled.seen.fill_zero();
  Buffer<std::uint32_t> sizes(strands, stream), next(1, stream);
  next.fill_zero();
  launch("strand_sizes_kernel", strand_sizes_kernel, strands, stream, arranged.strand_begins.view(), sizes.data());
  const Buffer<std::uint32_t> order = largest_first(sizes, stream);
  constexpr std::uint64_t most_warps = 16384;  // more than run at a time
  launch("fill_chains_kernel", fill_chains_kernel, std::min(strands, most_warps) * warp_threads, stream,
         arranged.anchors.data(), arranged.strand_begins.view(), order.view(), next.data(),
         ChainArrays{filled.scores.data(), filled.highest.data(), filled.previous.data(), filled.seen.data()});
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
  launch("collect_chains_kernel", collect_chains_kernel, reads, stream, collection, reads);
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
