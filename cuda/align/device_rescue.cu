// Mate rescue by warps: the lanes fill the table, count votes and extend side by side. What they find is what
// ReadPlacer::rescue() finds.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "align/device_pairs.cuh"
#include "align/place_core.hpp"
#include "align/rescue_core.hpp"
#include "align/warp_extend.cuh"
#include "align/warp_rank.cuh"
#include "core/appender.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t most_warps = 132 * 32;
constexpr std::uint64_t scratch_bytes = std::uint64_t{2} << 30;  // with wide windows fewer warps have to do

/// Scratch of all warps, one's behind the other's.
struct RescueScratch {
  std::uint8_t* windows;  // where the mate is looked for
  std::uint32_t* votes;   // of its diagonals
  WordSlot* slots;        // the mate's words
  std::uint8_t* reaches;  // for extensions, as the rows
  ExtensionCell* rows;
  std::uint64_t window_size, vote_size, slot_size, reach_size, row_size;
  GapWaves* waves = nullptr;  // of shared memory

  /// waves: [warps of a block]
  __device__ RescueScratch of_warp(GapWaves* all_waves) const {
    const std::uint64_t warp = thread_index() / warp_threads;
    RescueScratch mine = *this;
    mine.waves = all_waves + threadIdx.x / warp_threads;
    mine.windows += warp * window_size;
    mine.votes += warp * vote_size;
    mine.slots += warp * slot_size;
    mine.reaches += warp * reach_size;
    mine.rows += warp * row_size;
    return mine;
  }
  __device__ WarpExtender extender() const { return {reaches, rows, waves}; }
};

/// The word of codes [at, at + rescue_word); false where an N is.
__device__ bool word_at(const std::uint8_t* codes, std::uint32_t at, std::uint32_t& word) {
  word = 0;
  bool known = true;
  for (std::uint32_t i = 0; i < rescue_word; ++i) {
    const std::uint8_t code = codes[at + i];
    word = word << 2 | (code & 3U);
    known = known && code < 4;
  }
  return known;
}

/// As fill_table(): 32 words at a time, those of lower lanes before those of higher ones.
__device__ void fill_table_by_warp(const WordTable& table, const std::uint8_t* codes, std::uint32_t length) {
  for (std::uint32_t i = lane_id(); i < table.size; i += warp_threads) table.slots[i].word = empty_slot;
  __syncwarp();
  for (std::uint32_t first = 0; first + rescue_word <= length; first += warp_threads) {
    const std::uint32_t at = first + lane_id();
    std::uint32_t word = empty_slot;
    const bool known = at + rescue_word <= length && word_at(codes, at, word);
    const unsigned same = __match_any_sync(all_lanes, known ? word : empty_slot);
    std::uint32_t copies = __popc(same & lower_lanes());
    if (known) table.for_places(word, [&](std::uint32_t) { ++copies; });
    __syncwarp();
    if (known && copies < word_copies) {
      std::uint32_t slot = table.slot_of(word);
      while (atomicCAS(&table.slots[slot].word, empty_slot, word) != empty_slot) slot = (slot + 1) & (table.size - 1);
      table.slots[slot].position = at;
    }
    __syncwarp();
  }
}

/// As count_votes(), in 32 bits.
__device__ void count_votes_by_warp(const WordTable& table, std::uint32_t read_length, const std::uint8_t* window,
                                    std::uint32_t window_length, std::uint32_t* votes) {
  for (std::uint32_t i = lane_id(); i < window_length + read_length; i += warp_threads) votes[i] = 0;
  __syncwarp();
  if (window_length >= rescue_word) {
    const LanePart words = part_of_lane(window_length - rescue_word + 1);
    for_words(window + words.begin, words.begin < words.end ? words.end - words.begin + rescue_word - 1 : 0,
              [&](std::uint32_t word, std::uint32_t begin) {
                table.for_places(word, [&](std::uint32_t position) {
                  atomicAdd(&votes[words.begin + begin + read_length - position], 1U);
                });
              });
  }
  __syncwarp();
}

/// Votes of a diagonal, as far as they are counted.
__device__ std::uint32_t counted(std::uint32_t votes) {
  return votes < 0xFFFF ? votes : 0xFFFF;
}

/// As best_diagonal().
__device__ std::uint32_t best_diagonal_by_warp(const std::uint32_t* votes, std::uint32_t count) {
  std::uint64_t best = 0;  // votes, and the complement of the diagonal
  for (std::uint32_t i = lane_id(); i < count; i += warp_threads) {
    const std::uint64_t mine = std::uint64_t{counted(votes[i])} << 32 | (~i & 0xFFFFFFFFU);
    if (mine > best) best = mine;
  }
  best = largest_of_warp(best);
  return ~static_cast<std::uint32_t>(best);
}

/// The diagonals that are looked at; returns how many. Clears their votes.
__device__ unsigned promising_diagonals(std::uint32_t* votes, std::uint32_t count, std::uint32_t read_length,
                                        std::uint32_t (&diagonals)[rescued_places]) {
  std::uint32_t least = 1;
  unsigned found = 0;
  for (; found < rescued_places; ++found) {
    const std::uint32_t best = best_diagonal_by_warp(votes, count), mine = counted(votes[best]);
    if (mine < least) break;
    if (found == 0) least = fewest_votes(mine);
    diagonals[found] = best;
    __syncwarp();
    const std::uint32_t apart = place_width(read_length), begin = best + 1 > apart ? best + 1 - apart : 0;
    for (std::uint32_t i = begin + lane_id(); i < count && i < best + apart; i += warp_threads) votes[i] = 0;
    __syncwarp();
  }
  return found;
}

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
  const LanePart part = part_of_lane(window_length);
  fetch_codes(view.genome, place.begin + part.begin, place.begin + part.end, scratch.windows + part.begin);
  const WordTable table = {scratch.slots, static_cast<std::uint32_t>(scratch.slot_size)};
  fill_table_by_warp(table, codes, length);
  count_votes_by_warp(table, length, scratch.windows, window_length, scratch.votes);
  std::uint32_t diagonals[rescued_places];
  const unsigned found = promising_diagonals(scratch.votes, window_length + length, length, diagonals);
  const std::uint32_t before = lost.count;
#pragma unroll 1  // the extension is much code
  for (unsigned i = 0; i < found; ++i) {
    const Alignment grown =
        rescued_alignment(view.genome, codes, length, scratch.windows, place, diagonals[i], anchor.contig, turned,
                          view.first_number + lost.mate, view.options, scratch.extender());
    if (!worth_keeping(grown, view.options)) continue;
    if (lane_id() == 0) lost.alignments[lost.count] = grown;
    ++lost.count;
  }
  __syncwarp();
  return lost.count > before;
}

/// Where the mates of a pair get room for what is found, and which pairs are looked at.
struct RescuePlan {
  std::uint64_t* rooms;  // [2 * pairs + 1] alignments
  Appender<std::uint32_t> pairs;
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
      view.alignments(anchor), view.length(anchor), [&] { return view.alignments(mate); }, view.length(mate), expected,
      view.options,
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
  if (lost_first + lost_second == 0) return;
  // What is found of the second mate has the first one looked for in turn.
  const std::uint32_t most = view.options.max_rescues * known_orientations(expected);
  const std::uint32_t found = rescued_places * lost_second;
  std::uint32_t wanted = lost_first + found * known_orientations(expected);
  if (wanted > most) wanted = most;
  plan.rooms[2 * i] = view.counts[first] + rescued_places * wanted;
  plan.rooms[2 * i + 1] = view.counts[second] + found;
  plan.pairs.add(static_cast<std::uint32_t>(i));
}

__device__ bool rescue_one(const PairingView& view, const RescueScratch& scratch, std::uint64_t anchor,
                           const InsertView& expected, LostMate& lost) {
  const std::uint32_t length = view.length(anchor);
  return rescue_near(
      view.alignments(anchor), length, [&] { return View<Alignment>(lost.alignments, lost.count); },
      view.length(lost.mate), expected, view.options,
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
__global__ void __launch_bounds__(threads_per_block, 2)
    rescue_kernel(PairingView view, View<std::uint32_t> pairs, View<std::uint64_t> rooms, Alignment* memory,
                  RescueScratch all_scratch, std::uint32_t* next, Appender<std::uint32_t> changed) {
  __shared__ GapWaves waves[threads_per_block / warp_threads];
  const RescueScratch scratch = all_scratch.of_warp(waves);
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
    const std::uint64_t window = widest + longest + 1, votes = window + longest, row = longest + 2;
    const std::uint64_t slots = std::bit_ceil(std::max<std::uint64_t>(2 * std::uint64_t{longest}, 2));
    const std::uint64_t a_warp = window + 4 * votes + slots * sizeof(WordSlot) + reach + row * sizeof(ExtensionCell);
    const std::uint64_t warps_a_block = threads_per_block / warp_threads;
    const std::uint64_t blocks =
        (std::min({scratch_bytes / a_warp, most_warps, pairs}) + warps_a_block - 1) / warps_a_block;
    warps_ = std::max<std::uint64_t>(blocks, 1) * warps_a_block;
    windows_ = Buffer<std::uint8_t>(warps_ * window, stream);
    votes_ = Buffer<std::uint32_t>(warps_ * votes, stream);
    slots_ = Buffer<WordSlot>(warps_ * slots, stream);
    reaches_ = Buffer<std::uint8_t>(warps_ * reach, stream);
    rows_ = Buffer<ExtensionCell>(warps_ * row, stream);
    scratch_ = {windows_.data(), votes_.data(), slots_.data(), reaches_.data(), rows_.data(), window, votes,
                slots,           reach,         row,           nullptr};
  }

  const RescueScratch& scratch() const { return scratch_; }
  std::uint64_t threads() const { return warps_ * warp_threads; }

 private:
  std::uint64_t warps_;
  Buffer<std::uint8_t> windows_, reaches_;
  Buffer<std::uint32_t> votes_;
  Buffer<WordSlot> slots_;
  Buffer<ExtensionCell> rows_;
  RescueScratch scratch_;
};

}  // namespace

std::array<Buffer<Alignment>, 2> rescue_mates(const PairingView& view, std::uint32_t longest, std::uint64_t widest,
                                              const Stream& stream) {
  const std::uint64_t reads = 2 * view.pair_count;
  Buffer<std::uint64_t> rooms(reads + 1, stream);
  Buffer<std::uint32_t> pairs(view.pair_count, stream), changed(reads, stream), counters(3, stream);
  rooms.fill_zero(), counters.fill_zero();
  std::uint32_t *const pair_count = counters.data(), *const taken = pair_count + 1, *const changed_count = taken + 1;
  launch("plan_rescue_kernel", plan_rescue_kernel, view.pair_count, stream, view,
         RescuePlan{rooms.data(), {pairs.data(), pair_count, static_cast<std::uint32_t>(pairs.size())}});
  exclusive_sum(rooms, stream);
  const std::uint64_t room = rooms.value_at(reads), wanted = counters.value_at(0);
  if (wanted == 0) return {};
  Buffer<Alignment> memory(room, stream), ranked(room, stream);
  const RescueMemory scratch(view, longest, widest, wanted, stream);
  launch("rescue_kernel", rescue_kernel, scratch.threads(), stream, view, View<std::uint32_t>(pairs.data(), wanted),
         rooms.view(), memory.data(), scratch.scratch(), taken,
         Appender<std::uint32_t>{changed.data(), changed_count, static_cast<std::uint32_t>(changed.size())});
  const std::uint64_t changes = counters.value_at(2);
  launch("rank_again_kernel", rank_again_kernel, warp_threads * changes, stream, view,
         View<std::uint32_t>(changed.data(), changes), rooms.view(), ranked.data());
  return {std::move(memory), std::move(ranked)};
}

}  // namespace warpseed::cuda
