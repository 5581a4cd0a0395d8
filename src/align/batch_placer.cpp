#include "align/batch_placer.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <vector>

#include "align/pairing.hpp"
#include "align/read_placer.hpp"
#include "entry.hpp"

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 64;  // small enough to balance, large enough that scheduling costs nothing

class CpuBatchPlacer final : public BatchPlacer {
 public:
  CpuBatchPlacer(const FmView& fm, const GenomeView& genome, const AlignOptions& options)
      : options_(options), placers_([&fm, &genome, &options] { return ReadPlacer(fm, genome, options); }) {}

  void place(const ReadBatch& batch, std::uint64_t first_number) override {
    first_number_ = first_number;
    placed_.resize(batch.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), reads_a_task), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) placed_[i].read.assign(batch[i].letters);
      placers_.local().place(std::span(placed_).subspan(range.begin(), range.size()), first_number + range.begin());
    });
  }

  void choose_pairs(const ReadBatch& batch, std::uint64_t first, std::uint64_t end, const GroupInserts& inserts,
                    std::span<PairOfChoices> choices) override {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (end - first) / 2, reads_a_task / 2), [&](const auto& range) {
      ReadPlacer& placer = placers_.local();
      placer.times().begin();
      for (std::size_t pair = range.begin(); pair < range.end(); ++pair) {
        const std::size_t i = first + 2 * pair;
        choices[pair] = choose_together(placed_[i], placed_[i + 1], first_number_ + i,
                                        inserts.of(batch[i].read_group).view(), options_, placer);
      }
      placer.times().end(AlignStage::pairs);
    });
  }

  std::span<PlacedRead> reads(std::uint64_t first, std::uint64_t end) override {
    return std::span(placed_).subspan(first, end - first);
  }

  StageTimes times() const override {
    StageTimes times;
    for (const ReadPlacer& placer : placers_) times.add(placer.times());
    return times;
  }

 private:
  const AlignOptions& options_;
  std::vector<PlacedRead> placed_;  // of the batch at hand
  std::uint64_t first_number_ = 0;
  tbb::enumerable_thread_specific<ReadPlacer> placers_;  // one a thread, made when the thread first asks
};

}  // namespace

std::unique_ptr<BatchPlacer> make_batch_placer(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                               const Backend& backend) {
  if (backend.kind == BackendKind::cuda) return cuda::make_batch_placer(fm, genome, options, backend);
  return std::make_unique<CpuBatchPlacer>(fm, genome, options);
}

}  // namespace warpseed
