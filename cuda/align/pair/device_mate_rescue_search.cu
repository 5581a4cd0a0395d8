#include "align/pair/device_mate_rescue_search.cuh"

#include <utility>

#include "align/extend/extend_hit_core.hpp"
#include "align/extend/growth_scratch.cuh"
#include "align/extend/ungapped_core.hpp"
#include "align/pair/warp_rescue_votes.cuh"
#include "core/appender.cuh"
#include "core/launch.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t voting_warps = 64, growing_warps = 32;  // per multiprocessor; more gain nothing
constexpr std::uint32_t shared_words = 1024;                    // for votes, per warp

/// An exact match from which an unaligned mate is extended.
struct RescueSeed {
  std::uint32_t unaligned;
  ExactRun run;
};

struct VoteScratch {
  std::uint32_t* votes;  // used where shared memory is too small
  std::uint64_t size;    // words per warp
};

/// Lists the exact matches from which unaligned mates are extended, at most max_rescue_diagonals per mate.
__global__ void __launch_bounds__(threads_per_block, 3)
    vote_kernel(PairingView view, View<UnalignedMate> all_unaligned, VoteScratch scratch, FoundRange* ranges,
                RescueSeed* rescue_seeds, std::uint32_t* count, std::uint32_t* next) {
  __shared__ std::uint32_t shared[warps_per_block][shared_words];
  __shared__ ExactRun all_runs[warps_per_block][max_rescue_diagonals];
  ExactRun(&runs)[max_rescue_diagonals] = all_runs[threadIdx.x / warp_threads];
  for_each_job(all_unaligned.size, next, [&](std::uint64_t i) {
    const UnalignedMate unaligned = all_unaligned[i];
    FoundRange range;
    if (unaligned.length > 0) {
      const std::uint32_t length = view.length(unaligned.mate);
      const bool fits = VoteMemory::words(length, unaligned.length) <= shared_words;
      const VoteMemory room(
          fits ? shared[threadIdx.x / warp_threads] : scratch.votes + thread_index() / warp_threads * scratch.size,
          length, unaligned.length);
      put_read(room.mate, view.reads.orientation(2 * std::uint64_t{unaligned.mate} + (unaligned.reverse ? 1 : 0)));
      if (unaligned.position != text::no_text_pos) put_text(room.window, view.genome.text, unaligned.position);
      if (unaligned.position == text::no_text_pos) put_genome(room.window, view.genome, unaligned.begin);
      __syncwarp();
      find_voters(room);
      range.count = best_diagonal_runs(room, runs);
    }
    if (lane_id() == 0) range.first = atomicAdd(count, range.count);
    range.first = __shfl_sync(all_lanes, range.first, 0);
    if (lane_id() < range.count)
      rescue_seeds[range.first + lane_id()] = {static_cast<std::uint32_t>(i), runs[lane_id()]};
    if (lane_id() == 0) ranges[i] = range;
  });
}

/// The rescue seeds, and the alignments that they are extended to.
struct SeedExtensionView {
  PairingView pairing;
  View<UnalignedMate> unaligned;
  View<RescueSeed> rescue_seeds;
  Alignment* found;

  __device__ const UnalignedMate& unaligned_of(std::uint64_t i) const { return unaligned[rescue_seeds[i].unaligned]; }
  __device__ SeedHit hit(std::uint64_t i) const {
    const UnalignedMate& mate = unaligned_of(i);
    return rescued_hit(rescue_seeds[i].run, mate.begin, mate.contig, mate.reverse);
  }
  __device__ std::uint64_t orientation(std::uint64_t i) const {
    return 2 * std::uint64_t{unaligned_of(i).mate} + (unaligned_of(i).reverse ? 1 : 0);
  }
  __device__ void keep(std::uint64_t i, const LocalAlignment& grown) const {
    found[i] = Alignment(rescued_alignment(grown, pairing.first_number + unaligned_of(i).mate, pairing.options));
  }
};

/// One thread per seed: extends those that certainly have no gap, which are most, and lists the others.
__global__ void __launch_bounds__(threads_per_block)
    extend_ungapped_seeds_kernel(SeedExtensionView view, Appender<std::uint32_t> left) {
  const std::uint64_t i = thread_index();
  bool certain = true;
  if (i < view.rescue_seeds.size) {
    const SeedHit hit = view.hit(i);
    const PackedStrand reverse = view.pairing.reads.orientation(view.orientation(i));
    const text::GenomeView& genome = view.pairing.genome;
    const Scoring& scoring = view.pairing.options.scoring;
    const HitContext position(genome, hit);
    const LocalAlignment grown =
        grow_hit(hit, reverse.length(), scoring, [&](bool leftwards, std::int32_t start_score) {
          Extension ends;
          certain = certain && try_extend_ungapped(genome.text, reverse, hit, position, leftwards, start_score,
                                                   {view.pairing.options.band}, scoring, ends);
          return ends;
        });
    if (certain) view.keep(i, grown);
  }
  left.add_by_warp(!certain, static_cast<std::uint32_t>(i));
}

__global__ void __launch_bounds__(threads_per_block, 3)
    extend_remaining_kernel(SeedExtensionView view, const std::uint32_t* left, const std::uint32_t* count,
                            GrowthScratch scratch, std::uint32_t* next) {
  __shared__ ExtensionMemory shared[warps_per_block];
  const WarpExtender extender = scratch.of_warp(shared);
  for_each_job(*count, next, [&](std::uint64_t taken) {
    const std::uint32_t i = left[taken];
    const UnalignedMate& unaligned = view.unaligned_of(i);
    const PairingView& pairing = view.pairing;
    const LocalAlignment grown =
        extend_hit(pairing.genome, pairing.reads.codes_of(view.orientation(i)), pairing.length(unaligned.mate),
                   view.hit(i), {pairing.options.band}, pairing.options.scoring, extender);
    if (lane_id() == 0) view.keep(i, grown);
  });
}

/// Counters on the device.
struct SearchCounters {
  std::uint32_t rescue_seeds, left;  // how many
  std::uint32_t taken[2];            // jobs taken by the warps of a kernel
};

/// Extends all seeds into `found`.
void grow(const SeedExtensionView& view, std::uint32_t longest, SearchCounters* counters, const Stream& stream) {
  const std::uint64_t count = view.rescue_seeds.size;
  if (count == 0) return;
  Buffer<std::uint32_t> left(count, stream);
  launch("extend_ungapped_seeds_kernel", extend_ungapped_seeds_kernel, count, stream, view,
         Appender<std::uint32_t>{left.data(), &counters->left, static_cast<std::uint32_t>(count)});
  GrowthScratchBuffer memory(view.pairing.options, longest, count, growing_warps * multiprocessors(stream.device()),
                             stream);
  launch("extend_remaining_kernel", extend_remaining_kernel, memory.threads(), stream, view, left.data(),
         &counters->left, memory.scratch(), &counters->taken[1]);
}

}  // namespace

FoundMates search_mates(const PairingView& view, View<UnalignedMate> unaligned, std::uint32_t longest,
                        std::uint64_t widest, const Stream& stream) {
  const std::uint64_t window = widest + longest + 1;
  std::uint64_t votes = VoteMemory::words(longest, static_cast<std::uint32_t>(window));
  if (votes <= shared_words) votes = 0;
  Buffer<RescueSeed> rescue_seeds(max_rescue_diagonals * unaligned.size, stream);
  Buffer<SearchCounters> counters(1, stream);
  counters.fill_zero();
  FoundMates result = {Buffer<FoundRange>(unaligned.size, stream), {}};
  {
    const std::uint64_t warps =
        warps_for(unaligned.size, voting_warps * multiprocessors(stream.device()), votes * sizeof(std::uint32_t));
    Buffer<std::uint32_t> scratch(warps * votes, stream);
    launch("vote_kernel", vote_kernel, warps * warp_threads, stream, view, unaligned,
           VoteScratch{scratch.data(), votes}, result.ranges.data(), rescue_seeds.data(),
           &counters.data()->rescue_seeds, &counters.data()->taken[0]);
  }
  const std::uint32_t count = counters.value_at(0).rescue_seeds;
  result.alignments = Buffer<Alignment>(count, stream);
  grow({view, unaligned, rescue_seeds.view().part(0, count), result.alignments.data()}, longest, counters.data(),
       stream);
  return result;
}

}  // namespace warpseed::align::cuda
