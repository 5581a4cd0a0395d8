// Mate rescue by warps: the lanes count votes, a diagonal each, and extend side by side. What they find is what
// ReadPlacer::rescue() finds.
#include <algorithm>
#include <array>
#include <utility>

#include "align/device_pairs.cuh"
#include "align/device_placer.cuh"
#include "align/place_core.hpp"
#include "align/rescue_core.hpp"
#include "align/warp_extend.cuh"
#include "align/warp_genome.cuh"
#include "align/warp_rank.cuh"
#include "align/warp_votes.cuh"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t most_warps = 132 * 32;
constexpr std::uint64_t scratch_bytes = std::uint64_t{2} << 30;  // with wide windows fewer warps have to do

/// Memory that a warp shares. What is found by votes is noted before extension needs the memory.
union RescueShared {
  ExtensionMemory extension;
  std::uint32_t votes[sizeof(ExtensionMemory) / sizeof(std::uint32_t)];
};

/// Scratch of all warps, one's behind the other's.
struct RescueScratch {
  std::uint8_t* reaches;  // for extensions, as the rows
  ExtensionCell* rows;
  std::uint32_t* votes;  // where the shared memory does not hold them
  std::uint64_t reach_size, row_size, vote_size;
  RescueShared* shared = nullptr;

  /// shared: [warps of a block]
  __device__ RescueScratch of_warp(RescueShared* all_shared) const {
    const std::uint64_t warp = thread_index() / warp_threads;
    RescueScratch mine = *this;
    mine.reaches += warp * reach_size;
    mine.rows += warp * row_size;
    mine.votes += warp * vote_size;
    mine.shared = all_shared + threadIdx.x / warp_threads;
    return mine;
  }
  __device__ WarpExtender extender() const { return {reaches, rows, &shared->extension}; }
  __device__ VoteRoom room(std::uint32_t length, std::uint32_t window_length) const {
    const bool fits = VoteRoom::words(length, window_length) * sizeof(std::uint32_t) <= sizeof(RescueShared);
    return {fits ? shared->votes : votes, length, window_length};
  }
};

/// A read whose mate is looked for, and the mate.
struct LostMate {
  std::uint64_t mate;  // of the batch's reads
  Alignment* alignments;
  std::uint32_t count;
};

/// As ReadPlacer::rescue().
__device__ bool rescue_by_warp(const PairingView& view, const RescueScratch& scratch, const Alignment& anchor,
                               std::uint32_t anchor_length, Orientation seen, const InsertRange& range,
                               LostMate& lost) {
  const std::uint32_t length = view.length(lost.mate);
  const GenomeRange place =
      mate_window(anchor, anchor_length, length, seen, range, range_of_contig(view.genome, anchor.contig));
  if (place.end < place.begin + view.options.min_seed || length < view.options.min_seed) return false;
  const bool turned = anchor.reverse != on_opposite_strands(seen);
  const std::uint8_t* codes = view.reads.codes_of(2 * lost.mate + (turned ? 1 : 0));
  const auto window_length = static_cast<std::uint32_t>(place.end - place.begin);
  const VoteRoom room = scratch.room(length, window_length);
  __syncwarp();
  put_ends(room.mate), put_ends(room.window);
  for (std::uint32_t first = 0; first < length; first += warp_threads)
    put_codes(room.mate, first, first + lane_id() < length ? codes[first + lane_id()] : code_n);
  for_codes(view.genome, place.begin, window_length,
            [&](std::uint32_t i, std::uint8_t code) { put_codes(room.window, i - lane_id(), code); });
  __syncwarp();
  find_voters(room);
  count_votes_by_warp(room);
  ExactRun runs[rescued_places];
  const unsigned found = promising_runs(room, runs);
  const std::uint32_t before = lost.count;
#pragma unroll 1  // the extension is much code
  for (unsigned i = 0; i < found; ++i) {
    const Alignment grown = rescued_alignment(view.genome, codes, length, runs[i], place.begin, anchor.contig, turned,
                                              view.first_number + lost.mate, view.options, scratch.extender());
    if (!worth_keeping(grown, view.options)) continue;
    if (lane_id() == 0) lost.alignments[lost.count] = grown;
    ++lost.count;
  }
  __syncwarp();
  return lost.count > before;
}

/// Where the mates of a pair get room for what is found, and how often each pair is looked at, at most.
struct RescuePlan {
  std::uint64_t* rooms;   // [2 * pairs + 1] alignments
  std::uint32_t* wanted;  // [pairs] rescues
  std::uint32_t* count;   // pairs with any
};

__device__ std::uint32_t known_orientations(const InsertView& expected) {
  std::uint32_t known = 0;
  for (const InsertRange& range : expected.ranges) known += range.high >= range.low ? 1 : 0;
  return known;
}

/// Mates that are to be looked for near the places of `anchor`, as things are.
__device__ std::uint32_t count_lost(const PairingView& view, std::uint64_t anchor, std::uint64_t mate,
                                    const InsertView& expected) {
  std::uint32_t lost = 0;
  rescue_near(
      view.alignments(anchor), expected, view.options,
      [&](const Alignment& place, Orientation seen, const InsertRange& range) {
        return has_mate(place, view.length(anchor), view.alignments(mate), view.length(mate), seen, range);
      },
      [&](const Alignment&, Orientation, const InsertRange&) {
        ++lost;
        return false;
      });
  return lost;
}

__global__ void plan_rescue_kernel(PairingView view, RescuePlan plan) {
  const std::uint64_t i = thread_index();
  if (i >= view.pair_count) return;
  const std::uint64_t first = 2 * (view.first_pair + i), second = first + 1;
  const InsertView& expected = view.inserts(view.first_pair + i);
  const std::uint32_t lost_second = count_lost(view, first, second, expected);
  const std::uint32_t lost_first = count_lost(view, second, first, from_second(expected));
  plan.rooms[2 * i] = plan.rooms[2 * i + 1] = 0;
  plan.wanted[i] = lost_first + lost_second;
  if (lost_first + lost_second == 0) return;
  // What is found of the second mate has the first one looked for in turn.
  const std::uint32_t most = view.options.max_rescues * known_orientations(expected);
  const std::uint32_t found = rescued_places * lost_second;
  std::uint32_t wanted = lost_first + found * known_orientations(expected);
  if (wanted > most) wanted = most;
  plan.rooms[2 * i] = view.counts[first] + rescued_places * wanted;
  plan.rooms[2 * i + 1] = view.counts[second] + found;
  atomicAdd(plan.count, 1U);
}

__device__ bool rescue_one(const PairingView& view, const RescueScratch& scratch, std::uint64_t anchor,
                           const InsertView& expected, LostMate& lost) {
  const std::uint32_t length = view.length(anchor), mate_length = view.length(lost.mate);
  const auto placed = [&](const Alignment& place, Orientation seen, const InsertRange& range) {
    bool found = false;
    for (std::uint32_t first = 0; first < lost.count && !found; first += warp_threads) {
      const std::uint32_t i = first + lane_id();
      found =
          __any_sync(all_lanes, i < lost.count && is_mate(place, length, lost.alignments[i], mate_length, seen, range));
    }
    return found;
  };
  return rescue_near(view.alignments(anchor), expected, view.options, placed,
                     [&](const Alignment& place, Orientation seen, const InsertRange& range) {
                       return rescue_by_warp(view, scratch, place, length, seen, range, lost);
                     });
}

/// Puts a read's alignments where there is room for more.
__device__ LostMate move_to(const PairingView& view, std::uint64_t read, Alignment* room) {
  const View<Alignment> from = view.alignments(read);
  for (std::uint64_t i = lane_id(); i < from.size; i += warp_threads) room[i] = from[i];
  __syncwarp();
  if (lane_id() == 0) view.places[read] = room;
  return {read, room, view.counts[read]};
}

/// Each warp takes the next pair.
__global__ void __launch_bounds__(threads_per_block, 3)
    rescue_kernel(PairingView view, View<std::uint32_t> pairs, View<std::uint64_t> rooms, Alignment* memory,
                  RescueScratch all_scratch, std::uint32_t* next, Appender<std::uint32_t> changed) {
  __shared__ RescueShared shared[threads_per_block / warp_threads];
  const RescueScratch scratch = all_scratch.of_warp(shared);
  for_each_taken(pairs.size, next, [&](std::uint64_t taken) {
    const std::uint64_t pair = view.first_pair + pairs[taken];
#pragma unroll 1
    for (unsigned side = 1;; side = 0) {  // the second mate is looked for first
      const std::uint64_t mate = 2 * pair + side, anchor = 2 * pair + (1 - side);
      LostMate lost = move_to(view, mate, memory + rooms[2 * pairs[taken] + side]);
      const InsertView& expected = view.inserts(pair);
      const bool added = rescue_one(view, scratch, anchor, side == 1 ? expected : from_second(expected), lost);
      if (lane_id() == 0) {
        view.counts[mate] = lost.count;
        if (added) changed.add(static_cast<std::uint32_t>(mate));
      }
      __syncwarp();
      if (side == 0) break;
    }
  });
}

__global__ void rank_again_kernel(PairingView view, View<std::uint32_t> changed, View<std::uint64_t> rooms,
                                  Alignment* memory) {
  const std::uint64_t i = thread_index() / warp_threads;
  if (i >= changed.size) return;
  const std::uint32_t read = changed[i];
  Alignment* ranked = memory + rooms[read - 2 * view.first_pair];
  const std::uint32_t kept =
      rank_by_warp(view.places[read], view.counts[read], view.length(read), view.options.scoring, ranked);
  if (lane_id() == 0) view.places[read] = ranked, view.counts[read] = kept;
}

/// Memory for as many warps as are at work at a time.
class RescueMemory {
 public:
  RescueMemory(const PairingView& view, std::uint32_t longest, std::uint64_t widest, std::uint64_t pairs,
               const Stream& stream) {
    const auto length = static_cast<std::int32_t>(longest);
    const auto reach = static_cast<std::uint64_t>(genome_reach(length, view.options.band, view.options.scoring));
    const std::uint64_t row = longest + 2, window = widest + longest + 1;
    std::uint64_t votes = VoteRoom::words(longest, static_cast<std::uint32_t>(window));
    if (votes * sizeof(std::uint32_t) <= sizeof(RescueShared)) votes = 0;
    const std::uint64_t a_warp = reach + row * sizeof(ExtensionCell) + votes * sizeof(std::uint32_t);
    const std::uint64_t warps_a_block = threads_per_block / warp_threads;
    const std::uint64_t blocks =
        (std::min({scratch_bytes / a_warp, most_warps, pairs}) + warps_a_block - 1) / warps_a_block;
    warps_ = std::max<std::uint64_t>(blocks, 1) * warps_a_block;
    reaches_ = Buffer<std::uint8_t>(warps_ * reach, stream);
    rows_ = Buffer<ExtensionCell>(warps_ * row, stream);
    votes_ = Buffer<std::uint32_t>(warps_ * votes, stream);
    scratch_ = {reaches_.data(), rows_.data(), votes_.data(), reach, row, votes};
  }

  const RescueScratch& scratch() const { return scratch_; }
  std::uint64_t threads() const { return warps_ * warp_threads; }

 private:
  std::uint64_t warps_;
  Buffer<std::uint8_t> reaches_;
  Buffer<ExtensionCell> rows_;
  Buffer<std::uint32_t> votes_;
  RescueScratch scratch_;
};

}  // namespace

std::array<Buffer<Alignment>, 2> rescue_mates(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                                              const Stream& stream) {
  const std::uint64_t reads = 2 * view.pair_count;
  Buffer<std::uint64_t> rooms(reads + 1, stream);
  Buffer<std::uint32_t> rescues(view.pair_count, stream), changed(reads, stream), counters(3, stream);
  rooms.fill_zero(), counters.fill_zero();
  std::uint32_t *const pair_count = counters.data(), *const taken = pair_count + 1, *const changed_count = taken + 1;
  launch("plan_rescue_kernel", plan_rescue_kernel, view.pair_count, stream, view,
         RescuePlan{rooms.data(), rescues.data(), pair_count});
  exclusive_sum(rooms, stream);
  const std::uint64_t room = rooms.value_at(reads), wanted = counters.value_at(0);
  if (wanted == 0) return {};
  const Buffer<std::uint32_t> order = largest_first(rescues, stream);  // or the last warps would be at work alone
  Buffer<Alignment> memory(room, stream), ranked(room, stream);
  const RescueMemory scratch(view, longest, widest, wanted, stream);
  launch("rescue_kernel", rescue_kernel, scratch.threads(), stream, view, order.view().part(0, wanted), rooms.view(),
         memory.data(), scratch.scratch(), taken,
         Appender<std::uint32_t>{changed.data(), changed_count, static_cast<std::uint32_t>(changed.size())});
  const std::uint64_t changes = counters.value_at(2);
  launch("rank_again_kernel", rank_again_kernel, warp_threads * changes, stream, view,
         View<std::uint32_t>(changed.data(), changes), rooms.view(), ranked.data());
  return {std::move(memory), std::move(ranked)};
}

}  // namespace warpseed::cuda
