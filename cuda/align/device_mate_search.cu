#include "align/device_mate_search.cuh"

#include <algorithm>
#include <utility>

#include "align/place_core.hpp"
#include "align/warp_extend.cuh"
#include "align/warp_votes.cuh"
#include "core/launch.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t warps_a_block = threads_per_block / warp_threads;
constexpr std::uint64_t voting_warps = 132 * 64, growing_warps = 132 * 32;  // more than are at work at a time
constexpr std::uint64_t scratch_bytes = std::uint64_t{1} << 30;             // with wide windows fewer have to do
constexpr std::uint32_t shared_words = 1024;                                // of a warp that counts votes

/// An exact run from which a lost mate is extended.
struct Seedling {
  std::uint32_t lost;
  ExactRun run;
};

struct VoteScratch {
  std::uint32_t* votes;  // where the shared memory does not hold them
  std::uint64_t size;    // a warp's
};

/// Lists the runs from which lost mates are extended: at most rescued_places of each.
__global__ void __launch_bounds__(threads_per_block, 3)
    vote_kernel(PairingView view, View<LostMate> all_lost, VoteScratch scratch, FoundRange* ranges, Seedling* seedlings,
                std::uint32_t* count, std::uint32_t* next) {
  __shared__ std::uint32_t shared[warps_a_block][shared_words];
  __shared__ ExactRun all_runs[warps_a_block][rescued_places];
  ExactRun(&runs)[rescued_places] = all_runs[threadIdx.x / warp_threads];
  for_each_taken(all_lost.size, next, [&](std::uint64_t i) {
    const LostMate lost = all_lost[i];
    FoundRange range;
    if (lost.length > 0) {
      const std::uint32_t length = view.length(lost.mate);
      const bool fits = VoteRoom::words(length, lost.length) <= shared_words;
      const VoteRoom room(
          fits ? shared[threadIdx.x / warp_threads] : scratch.votes + thread_index() / warp_threads * scratch.size,
          length, lost.length);
      put_read(room.mate, view.reads.orientation(2 * std::uint64_t{lost.mate} + (lost.turned ? 1 : 0)));
      if (lost.place != LostMate::not_whole) put_text(room.window, view.genome.text, lost.place);
      if (lost.place == LostMate::not_whole) put_genome(room.window, view.genome, lost.begin);
      __syncwarp();
      find_voters(room);
      range.count = promising_runs(room, runs);
    }
    if (lane_id() == 0) range.first = atomicAdd(count, range.count);
    range.first = __shfl_sync(all_lanes, range.first, 0);
    if (lane_id() < range.count) seedlings[range.first + lane_id()] = {static_cast<std::uint32_t>(i), runs[lane_id()]};
    if (lane_id() == 0) ranges[i] = range;
  });
}

/// Scratch of all warps that extend, one's behind the other's.
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

__global__ void __launch_bounds__(threads_per_block, 3)
    grow_seedlings_kernel(PairingView view, View<LostMate> all_lost, View<Seedling> seedlings, GrowthScratch scratch,
                          Alignment* found, std::uint32_t* next) {
  __shared__ ExtensionMemory shared[warps_a_block];
  const WarpExtender extender = scratch.of_warp(shared);
  for_each_taken(seedlings.size, next, [&](std::uint64_t i) {
    const LostMate lost = all_lost[seedlings[i].lost];
    const std::uint8_t* codes = view.reads.codes_of(2 * std::uint64_t{lost.mate} + (lost.turned ? 1 : 0));
    const Alignment grown =
        rescued_alignment(view.genome, codes, view.length(lost.mate), seedlings[i].run, lost.begin, lost.contig,
                          lost.turned, view.first_number + lost.mate, view.options, extender);
    if (lane_id() == 0) found[i] = grown;
  });
}

/// Warps for `jobs`: whole blocks, no more than may be at work, or than there is scratch for.
std::uint64_t warps_for(std::uint64_t jobs, std::uint64_t most, std::uint64_t bytes_a_warp) {
  const std::uint64_t room = scratch_bytes / std::max<std::uint64_t>(bytes_a_warp, 1);
  return std::max<std::uint64_t>(std::min({jobs + warps_a_block - 1, most, room}) / warps_a_block, 1) * warps_a_block;
}

}  // namespace

FoundMates search_mates(const PairingView& view, View<LostMate> lost, std::uint32_t longest, std::uint64_t widest,
                        const Stream& stream) {
  const std::uint64_t window = widest + longest + 1;
  std::uint64_t votes = VoteRoom::words(longest, static_cast<std::uint32_t>(window));
  if (votes <= shared_words) votes = 0;
  Buffer<Seedling> seedlings(rescued_places * lost.size, stream);
  Buffer<std::uint32_t> counters(3, stream);
  counters.fill_zero();
  FoundMates result = {Buffer<FoundRange>(lost.size, stream), {}};
  {
    const std::uint64_t warps = warps_for(lost.size, voting_warps, votes * sizeof(std::uint32_t));
    Buffer<std::uint32_t> scratch(warps * votes, stream);
    launch("vote_kernel", vote_kernel, warps * warp_threads, stream, view, lost, VoteScratch{scratch.data(), votes},
           result.ranges.data(), seedlings.data(), counters.data(), counters.data() + 1);
  }
  const View<Seedling> listed = seedlings.view().part(0, counters.value_at(0));
  result.alignments = Buffer<Alignment>(listed.size, stream);
  const auto reach = static_cast<std::uint64_t>(
      genome_reach(static_cast<std::int32_t>(longest), view.options.band, view.options.scoring));
  const std::uint64_t row = longest + 2;
  const std::uint64_t warps = warps_for(listed.size, growing_warps, reach + row * sizeof(ExtensionCell));
  Buffer<std::uint8_t> windows(warps * reach, stream);
  Buffer<ExtensionCell> rows(warps * row, stream);
  if (listed.size > 0) {
    launch("grow_seedlings_kernel", grow_seedlings_kernel, warps * warp_threads, stream, view, lost, listed,
           GrowthScratch{windows.data(), rows.data(), reach, row}, result.alignments.data(), counters.data() + 2);
  }
  return result;
}

}  // namespace warpseed::cuda
