#include "align/pipeline/batch_aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "align/pair/pairing.hpp"
#include "align/pipeline/read_aligner.hpp"
#include "entry.hpp"

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 64;  // enough to wait for memory together, and for scheduling to cost nothing

using Placers = tbb::enumerable_thread_specific<ReadPlacer>;  // one a thread, made when the thread first asks

/// Everything is found when the placement is made.
class CpuPlacement final : public Placement {
 public:
  CpuPlacement(std::span<PlacedRead> placed, std::uint64_t first_number, const AlignOptions& options, Placers& placers)
      : placed_(placed), first_number_(first_number), options_(options), placers_(placers) {
    const auto place = [&](const tbb::blocked_range<std::size_t>& range) {
      const std::span<PlacedRead> reads = placed_.subspan(range.begin(), range.size());
      for (PlacedRead& read : reads) read.paths.clear();
      placers_.local().place(reads, first_number_ + range.begin());
    };
    const tbb::blocked_range<std::size_t> all(0, placed.size(), reads_a_task);
    tbb::parallel_for(all, place, tbb::simple_partitioner());  // larger groups would leave the caches
  }

  void wait() override {}

  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const GroupInserts& inserts, std::span<Choice> choices) override {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (end - first) / 2, reads_a_task / 2), [&](const auto& range) {
      ReadPlacer& placer = placers_.local();
      placer.times().begin();
      for (std::size_t pair = range.begin(); pair < range.end(); ++pair) {
        const std::size_t i = first + 2 * pair;
        const auto [one, other] = choose_together(placed_[i], placed_[i + 1], first_number_ + i,
                                                  inserts.of(groups[2 * pair]).view(), options_, placer);
        choices[2 * pair] = one, choices[2 * pair + 1] = other;
      }
      placer.times().end(AlignStage::pairs);
    });
  }

  void choose_alone(std::span<Choice> choices) const {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const PlacedRead& read = placed_[i];
      choices[i] = choose_single(std::span(read.alignments), read.traits, options_);
    }
  }

  void fetch(std::uint64_t, std::uint64_t, Fetched) override {}  // they have been here all the time

 private:
  const std::span<PlacedRead> placed_;
  const std::uint64_t first_number_;
  const AlignOptions& options_;
  Placers& placers_;
};

class CpuBatchPlacer final : public BatchPlacer {
 public:
  CpuBatchPlacer(const FmView& fm, const GenomeView& genome, const AlignOptions& options)
      : options_(options), placers_([&fm, &genome, &options] { return ReadPlacer(fm, genome, options); }) {}

  std::uint64_t batch_reads() const override { return GroupInserts::reads_to_learn_from; }
  unsigned batches_at_a_time() const override { return 1; }

  std::unique_ptr<Placement> begin(std::span<PlacedRead> placed, std::uint64_t first_number,
                                   const Choosing* choosing) override {
    auto placement = std::make_unique<CpuPlacement>(placed, first_number, options_, placers_);
    if (choosing && choosing->paired)
      placement->choose_pairs(0, placed.size(), choosing->groups, *choosing->inserts, choosing->choices);
    else if (choosing)
      placement->choose_alone(choosing->choices);
    return placement;
  }

  StageTimes times() const override {
    StageTimes times;
    for (const ReadPlacer& placer : placers_) times.add(placer.times());
    return times;
  }

 private:
  const AlignOptions& options_;
  Placers placers_;
};

}  // namespace

std::unique_ptr<BatchPlacer> make_batch_placer(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                               const Backend& backend, const PlacerLimits& limits) {
  if (backend.kind == BackendKind::cuda) return cuda::make_batch_placer(fm, genome, options, backend, limits);
  return std::make_unique<CpuBatchPlacer>(fm, genome, options);
}

}  // namespace warpseed
