// Mate rescue: finds what ReadAligner::rescue() finds for every pair.
//
// The CPU searches for one mate after the other, since a rescued alignment may make further searches needless. It
// hardly ever does. So the device searches for all currently unaligned mates at the same time, and then goes through
// the results in the order of the CPU. A second round searches for mates of the second mates' alignments that the first
// round found.
#include "align/pair/device_mate_rescue.cuh"

#include <array>
#include <utility>

#include "align/extend/extend_hit_core.hpp"
#include "align/pair/alignments_snapshot.cuh"
#include "align/pair/device_mate_rescue_search.cuh"
#include "align/seed/device_seed_hits.cuh"
#include "align/select/warp_rank.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t pairing_warps = 48;  // per multiprocessor; more than can run at a time gain nothing
constexpr std::uint64_t few_alignments = 2;  // of a read that one thread handles

/// The counters of a round, for the host and for warps that take the next job.
struct RoundCounters {
  unsigned long long unaligned, listed;  // mates to search for, and the alignments that their reads have
  unsigned long long moved;              // alignments copied to lists with room for more
  std::uint32_t taken[3];
};

/// The counters of both rounds.
struct PairCounters {
  unsigned long long ranked;  // alignments
  std::uint32_t pairs;        // that may have unaligned mates
  std::uint32_t changed;      // reads with new alignments
  std::uint32_t taken;
};

/// The pairs that may have unaligned mates, in any order, and the state of their rescue.
struct RescuePlan {
  unsigned round;            // 0, then 1
  std::uint32_t* pairs;      // [pairs]
  std::uint64_t* unaligned;  // [2 * pairs + 1] by read: number of searches for it, then their exclusive sum
  std::uint32_t* known;      // [2 * pairs] by read: alignments before the rescue
  std::uint8_t* settled;     // [2 * pairs] by read: is_settled_mate() before the rescue
  std::uint32_t* changed;    // [2 * pairs] reads
  PairCounters* counters;
  RoundCounters* of_round;

  /// The second round searches only near new alignments of the second mates.
  __device__ unsigned sides() const { return round == 0 ? 2 : 1; }
};

/// The numbers of the anchor read and its mate.
struct Mates {
  std::uint64_t anchor, mate;
};

__device__ Mates mates_of(const PairingView& view, std::uint64_t pair, unsigned side) {
  const std::uint64_t first = 2 * (view.first_pair + pair);
  return {first + 1 - side, first + side};
}

/// The expected insert sizes of the mate on a side, as seen from the other mate.
__device__ InsertSizeView expected_of(const PairingView& view, std::uint64_t pair, unsigned side) {
  const InsertSizeView& expected = view.insert_sizes(view.first_pair + pair);
  return side == 1 ? expected : swap_mates(expected);
}

/// Returns the orientations with known insert sizes in which the anchor has no mate among `mates`, as bits. All lanes
/// call it, each with its own anchor if `asked`.
__device__ unsigned orientations_unaligned(const Alignment* anchor, bool asked, std::uint32_t anchor_length,
                                           const View<Alignment>& mates, std::uint32_t mate_length,
                                           const InsertSizeView& expected) {
  unsigned unaligned = 0;
  for (unsigned i = 0; i < orientation_count; ++i)
    unaligned |= (asked && expected.ranges[i].high >= expected.ranges[i].low ? 1U : 0U) << i;
  for (std::uint64_t first = 0; first < mates.size; first += warp_threads) {
    const std::uint64_t mine = first + lane_id();
    unsigned alone = __ballot_sync(all_lanes, mine < mates.size && is_unique(mates[mine]));
    for (; alone != 0; alone &= alone - 1) {
      const Alignment& mate = mates[first + static_cast<unsigned>(__ffs(static_cast<int>(alone))) - 1];
      if (unaligned == 0) continue;
      const MateDistance distance = mate_distance(*anchor, anchor_length, mate, mate_length);
      if (is_proper(expected, distance)) unaligned &= ~(1U << static_cast<unsigned>(distance.seen));
    }
  }
  return unaligned;
}

/// Visits the mates that rescue_near() would currently search for, near alignments `from` and later: calls
/// visit(n, a, seen) in one lane for the n-th of them, near alignment a. Returns their number.
template <class Visit>
__device__ std::uint32_t for_unaligned_mates(const PairingView& view, const Mates& mates,
                                             const InsertSizeView& expected, std::uint64_t from, Visit visit) {
  const View<Alignment> anchors = view.alignments(mates.anchor);
  if (anchors.size == 0) return 0;
  const std::int32_t good_enough = anchors[0].score - view.options.scoring.unpaired;
  std::uint32_t rescues = 0, count = 0;
  for (std::uint64_t first = 0; first < anchors.size && rescues < view.options.max_rescues; first += warp_threads) {
    const std::uint64_t a = first + lane_id();
    const unsigned good = __ballot_sync(all_lanes, a < anchors.size && anchors[a].score >= good_enough);
    const bool asked = (good >> lane_id() & 1) != 0 && a >= from &&
                       rescues + static_cast<unsigned>(__popc(good & lower_lane_mask())) < view.options.max_rescues;
    rescues += static_cast<unsigned>(__popc(good));
    if (!__any_sync(all_lanes, asked)) continue;
    const unsigned unaligned = orientations_unaligned(&anchors[a], asked, view.length(mates.anchor),
                                                      view.alignments(mates.mate), view.length(mates.mate), expected);
    std::uint32_t before = count;
    for (unsigned i = 0; i < orientation_count; ++i) {
      const unsigned all = __ballot_sync(all_lanes, (unaligned >> i & 1) != 0);
      before += static_cast<unsigned>(__popc(all & lower_lane_mask()));
      count += static_cast<unsigned>(__popc(all));
    }
    for (unsigned left = unaligned; left != 0; left &= left - 1)
      visit(before++, a, static_cast<Orientation>(__ffs(static_cast<int>(left)) - 1));
  }
  return count;
}

static_assert(longest_rescued <= longest_device_read, "the bases of longer reads are not on the device");

__device__ bool is_settled(const PairingView& view, std::uint64_t pair, unsigned side) {
  const auto [anchor, mate] = mates_of(view, pair, side);
  return is_settled_mate(view.alignments(anchor), view.length(anchor), view.alignments(mate), view.traits[mate],
                         expected_of(view, pair, side), view.options);
}

/// False if no mate of a pair is to be searched for. May be true for a pair without one if the check would take long.
__device__ bool may_have_unaligned(const PairingView& view, std::uint64_t pair) {
  const Mates both = mates_of(view, pair, 0);
  if (!may_rescue(view.length(both.anchor), view.length(both.mate))) return false;
  for (unsigned side = 0; side < 2; ++side) {
    if (is_settled(view, pair, side)) continue;
    const auto [anchor, mate] = mates_of(view, pair, side);
    const View<Alignment> anchors = view.alignments(anchor), mates = view.alignments(mate);
    if (anchors.size > few_alignments || mates.size > few_alignments) return true;
    bool unaligned = false;
    rescue_near(
        anchors, expected_of(view, pair, side), view.options,
        [&](const Alignment& position, Orientation seen, const InsertSizeRange& range) {
          return has_mate(position, view.length(anchor), mates, view.length(mate), seen, range);
        },
        [&](const Alignment&, Orientation, const InsertSizeRange&) { return unaligned = true; });
    if (unaligned) return true;
  }
  return false;
}

__global__ void list_pairs_kernel(PairingView view, RescuePlan plan) {
  const std::uint64_t pair = thread_index();
  if (pair >= view.pair_count || !may_have_unaligned(view, pair)) return;
  plan.pairs[atomicAdd(&plan.counters->pairs, 1U)] = static_cast<std::uint32_t>(pair);
  for (unsigned side = 0; side < 2; ++side) {
    plan.known[2 * pair + side] = view.counts[mates_of(view, pair, side).mate];
    plan.settled[2 * pair + side] = is_settled(view, pair, side) ? 1 : 0;
  }
}

/// Calls visit(slot, mates, expected, from) in all lanes for the reads whose mates are searched for, see
/// for_unaligned_mates().
template <class Visit>
__device__ void for_anchors(const PairingView& view, const RescuePlan& plan, std::uint32_t* next, Visit visit) {
  for_each_job(plan.counters->pairs, next, [&](std::uint64_t taken) {
    const std::uint64_t pair = plan.pairs[taken];
    for (unsigned side = 0; side < plan.sides(); ++side) {
      if (plan.settled[2 * pair + side] != 0) continue;
      const Mates mates = mates_of(view, pair, side);
      const std::uint32_t from = plan.round == 0 ? 0 : plan.known[2 * pair + 1];
      if (from < view.counts[mates.anchor]) visit(2 * pair + side, mates, expected_of(view, pair, side), from);
    }
  });
}

__global__ void count_unaligned_kernel(PairingView view, RescuePlan plan) {
  for_anchors(view, plan, &plan.of_round->taken[0],
              [&](std::uint64_t slot, const Mates& mates, const InsertSizeView& expected, std::uint32_t from) {
                const std::uint32_t unaligned =
                    for_unaligned_mates(view, mates, expected, from, [](std::uint32_t, std::uint64_t, Orientation) {});
                if (lane_id() != 0 || unaligned == 0) return;
                plan.unaligned[slot] = unaligned;
                atomicAdd(&plan.of_round->unaligned, std::uint64_t{unaligned});
                atomicAdd(&plan.of_round->listed, std::uint64_t{view.counts[mates.mate]});
              });
}

/// The window of an unaligned mate.
__device__ UnalignedMate unaligned_mate(const PairingView& view, const Mates& mates, std::uint64_t a, Orientation seen,
                                        const InsertSizeRange& range) {
  const Alignment& anchor = view.alignments(mates.anchor)[a];
  const text::GenomeView& genome = view.genome;
  const std::uint32_t length = view.length(mates.mate);
  const GenomeRange window =
      mate_window(anchor, view.length(mates.anchor), length, seen, range, range_of_contig(genome, anchor.contig));
  UnalignedMate unaligned;
  unaligned.begin = window.begin, unaligned.contig = anchor.contig;
  unaligned.mate = static_cast<std::uint32_t>(mates.mate), unaligned.anchor = &anchor;
  unaligned.seen = seen, unaligned.reverse = anchor.reverse != on_opposite_strands(seen);
  if (window.end < window.begin + view.options.min_seed || length < view.options.min_seed) return unaligned;
  unaligned.length = static_cast<std::uint32_t>(window.end - window.begin);
  unaligned.position = text::whole_in_text(genome, window.begin, unaligned.length);
  return unaligned;
}

__global__ void list_unaligned_kernel(PairingView view, RescuePlan plan, UnalignedMate* all_unaligned) {
  for_anchors(view, plan, &plan.of_round->taken[1],
              [&](std::uint64_t slot, const Mates& mates, const InsertSizeView& expected, std::uint32_t from) {
                for_unaligned_mates(
                    view, mates, expected, from, [&](std::uint32_t n, std::uint64_t a, Orientation seen) {
                      all_unaligned[plan.unaligned[slot] + n] = unaligned_mate(view, mates, a, seen, expected.of(seen));
                    });
              });
}

/// The results of a round.
struct RoundView {
  const UnalignedMate* unaligned;
  const FoundRange* ranges;
  const Alignment* found;
};

/// A read's alignments in a list with room for more.
struct GrowingList {
  Alignment* alignments;
  std::uint32_t old, count;
};

/// Adds the alignments found by searches [begin, end) for a mate, except near anchors that have a mate by then. The
/// anchors are read from the list before the round, because another warp may replace the list of their read at the same
/// time.
__device__ void add_found(const PairingView& view, const Mates& mates, const InsertSizeView& expected,
                          const RoundView& round, std::uint64_t begin, std::uint64_t end, GrowingList& list) {
  const std::uint32_t length = view.length(mates.anchor), mate_length = view.length(mates.mate);
  for (std::uint64_t n = begin; n < end; ++n) {
    const UnalignedMate& unaligned = round.unaligned[n];
    bool aligned = false;
    for (std::uint32_t first = list.old; first < list.count && !aligned; first += warp_threads) {
      const std::uint32_t i = first + lane_id();
      aligned =
          __any_sync(all_lanes, i < list.count && is_mate(*unaligned.anchor, length, list.alignments[i], mate_length,
                                                          unaligned.seen, expected.of(unaligned.seen)));
    }
    if (aligned) continue;
    const FoundRange range = round.ranges[n];
    Alignment mine;
    if (lane_id() < range.count) mine = round.found[range.first + lane_id()];
    const bool kept = lane_id() < range.count && passes_min_score(mine, view.options);
    const unsigned all = __ballot_sync(all_lanes, kept);
    if (kept) list.alignments[list.count + static_cast<unsigned>(__popc(all & lower_lane_mask()))] = mine;
    list.count += static_cast<unsigned>(__popc(all));
    __syncwarp();
  }
}

/// Adds the alignments found to those of the mates. memory: room for all. A warp reads and writes `lists` and `counts`
/// only for the mate that it has taken, so that no warp sees the changes of another one.
__global__ void add_found_kernel(PairingView view, RescuePlan plan, RoundView round, Alignment* memory) {
  for_each_job(plan.sides() * plan.counters->pairs, &plan.of_round->taken[2], [&](std::uint64_t taken) {
    const std::uint64_t pair = plan.pairs[taken / plan.sides()];
    const auto side = static_cast<unsigned>(taken % plan.sides());
    const std::uint64_t slot = 2 * pair + side, begin = plan.unaligned[slot], end = plan.unaligned[slot + 1];
    std::uint32_t found = 0;
    for (std::uint64_t n = begin + lane_id(); n < end; n += warp_threads) found += round.ranges[n].count;
    found = __reduce_add_sync(all_lanes, found);
    if (found == 0) return;
    const Mates mates = mates_of(view, pair, side);
    const View<Alignment> before = view.alignments(mates.mate);
    const auto old = static_cast<std::uint32_t>(before.size);
    unsigned long long room = 0;
    if (lane_id() == 0) room = atomicAdd(&plan.of_round->moved, std::uint64_t{old + found});
    GrowingList list = {memory + __shfl_sync(all_lanes, room, 0), old, old};
    for_lanes(old, [&](std::uint32_t i) { list.alignments[i] = before[i]; });
    add_found(view, mates, expected_of(view, pair, side), round, begin, end, list);
    if (lane_id() != 0 || list.count == old) return;
    view.lists[mates.mate] = list.alignments, view.counts[mates.mate] = list.count;
    if (old == plan.known[slot])  // not changed in the first round
      plan.changed[atomicAdd(&plan.counters->changed, 1U)] = static_cast<std::uint32_t>(mates.mate);
  });
}

__global__ void rank_again_kernel(PairingView view, RescuePlan plan, Alignment* ranked) {
  for_each_job(plan.counters->changed, &plan.counters->taken, [&](std::uint64_t taken) {
    const std::uint32_t read = plan.changed[taken], count = view.counts[read];
    unsigned long long room = 0;
    if (lane_id() == 0) room = atomicAdd(&plan.counters->ranked, std::uint64_t{count});
    Alignment* const mine = ranked + __shfl_sync(all_lanes, room, 0);
    const std::uint32_t kept =
        rank_by_warp(view.lists[read], count, view.length(read), view.first_number + read, view.options.scoring, mine);
    if (lane_id() == 0) view.lists[read] = mine, view.counts[read] = kept;
  });
}

/// The state of a rescue from one round to the next.
class Rescue {
 public:
  Rescue(const PairingView& view, std::uint32_t longest, std::uint64_t widest, const Stream& stream)
      : view_(view),
        longest_(longest),
        widest_(widest),
        stream_(stream),
        threads_(pairing_warps * multiprocessors(stream.device()) * warp_threads),
        pairs_(view.pair_count, stream),
        known_(2 * view.pair_count, stream),
        changed_(2 * view.pair_count, stream),
        settled_(2 * view.pair_count, stream),
        unaligned_(2 * view.pair_count + 1, stream),
        counters_(1, stream),
        rounds_(2, stream) {
    counters_.fill_zero(), rounds_.fill_zero();
    launch("list_pairs_kernel", list_pairs_kernel, view.pair_count, stream, view, plan(0));
  }

  /// Searches for the mates that are currently unaligned. Returns false if there are none.
  bool search(unsigned round) {
    const RescuePlan plan = this->plan(round);
    unaligned_.fill_zero();
    launch("count_unaligned_kernel", count_unaligned_kernel, threads_, stream_, view_, plan);
    exclusive_sum(unaligned_, stream_);
    const RoundCounters counters = rounds_.value_at(round);
    if (counters.unaligned == 0) return false;
    Buffer<UnalignedMate> unaligned(counters.unaligned, stream_);
    launch("list_unaligned_kernel", list_unaligned_kernel, threads_, stream_, view_, plan, unaligned.data());
    const FoundMates found = search_mates(view_, unaligned.view(), longest_, widest_, stream_);
    memory_[round] = Buffer<Alignment>(counters.listed + found.alignments.size(), stream_);
    launch("add_found_kernel", add_found_kernel, threads_, stream_, view_, plan,
           RoundView{unaligned.data(), found.ranges.data(), found.alignments.data()}, memory_[round].data());
    return true;
  }

  /// Ranks the alignments of changed reads. Returns the memory that holds them.
  Buffer<Alignment> rank() {
    Buffer<Alignment> ranked(memory_[0].size() + memory_[1].size(), stream_);
    launch("rank_again_kernel", rank_again_kernel, threads_, stream_, view_, plan(0), ranked.data());
    return ranked;
  }

 private:
  RescuePlan plan(unsigned round) {
    return {round,           pairs_.data(),   unaligned_.data(), known_.data(),
            settled_.data(), changed_.data(), counters_.data(),  rounds_.data() + round};
  }

  const PairingView view_;
  const std::uint32_t longest_;
  const std::uint64_t widest_;
  const Stream& stream_;
  const std::uint64_t threads_;  // of kernels whose warps take the next job
  Buffer<std::uint32_t> pairs_, known_, changed_;
  Buffer<std::uint8_t> settled_;
  Buffer<std::uint64_t> unaligned_;
  Buffer<PairCounters> counters_;
  Buffer<RoundCounters> rounds_;
  std::array<Buffer<Alignment>, 2> memory_;
};

}  // namespace

Buffer<Alignment> rescue_mates(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                               const Stream& stream) {
  AlignmentsSnapshot before(view, stream);
  Rescue rescue(view, longest, widest, stream);
  Buffer<Alignment> ranked;
  if (rescue.search(0)) {
    rescue.search(1);
    ranked = rescue.rank();
  }
  before.done();
  return ranked;
}

}  // namespace warpseed::align::cuda
