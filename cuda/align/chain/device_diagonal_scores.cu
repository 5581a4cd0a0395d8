// Scores of the diagonals of hits, one thread per hit: with one warp per read most lanes would be idle for most reads.
#include "align/chain/device_diagonal_scores.cuh"

#include "align/block_owners.cuh"
#include "align/chain/diagonal_score_table.hpp"

namespace warpseed::align::cuda {

namespace {

__global__ void diagonal_scores_kernel(AlignmentView view, DiagonalScoreTable table, View<SeedHit> hits,
                                       std::int32_t* ungapped_scores) {
  __shared__ DiagonalStep steps[diagonal_steps];
  __shared__ std::uint64_t ends[2];
  static_assert(diagonal_steps == threads_per_block);
  steps[threadIdx.x] = table.steps()[threadIdx.x];
  const BlockPart part = part_of_block(hits.size);
  const BlockOwners reads(ends, view.read_count, part.begin, part.end,
                          [&](std::uint64_t i) { return view.hit_begin(i); });
  for (std::uint64_t i = part.begin + threadIdx.x; i < part.end; i += threads_per_block) {
    const SeedHit& hit = hits[i];
    const PackedStrand read = view.reads.orientation(2 * (view.first_read + reads.of(i)) + (hit.reverse ? 1 : 0));
    const DiagonalStretch stretch = stretch_on_diagonal(read.length(), hit.query_begin, view.genome, hit.genome_begin);
    ungapped_scores[i] = diagonal_score(read, stretch, view.genome.text, steps);
  }
}

}  // namespace

Buffer<std::int32_t> ungapped_diagonal_scores(const AlignmentView& view, View<SeedHit> hits, const Stream& stream) {
  Buffer<std::int32_t> ungapped_scores(hits.size, stream);
  launch("diagonal_scores_kernel", diagonal_scores_kernel, threads_for_items(hits.size), stream, view,
         DiagonalScoreTable(view.options.scoring), hits, ungapped_scores.data());
  return ungapped_scores;
}

}  // namespace warpseed::align::cuda
