#include "align/pipeline/batch_aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "align/entry.hpp"
#include "align/pair/pairing.hpp"
#include "align/pipeline/read_aligner.hpp"

namespace warpseed::align {

namespace {

constexpr std::size_t reads_per_task = 64;  // enough to overlap memory latency, and for negligible scheduling cost

using ReadAligners = tbb::enumerable_thread_specific<ReadAligner>;  // one per thread, created on first use

/// Aligns all reads in the constructor.
class CpuAlignmentJob final : public AlignmentJob {
 public:
  CpuAlignmentJob(std::span<ReadAlignments> aligned, std::uint64_t first_number, const AlignOptions& options,
                  ReadAligners& aligners)
      : aligned_(aligned), first_number_(first_number), options_(options), aligners_(aligners) {
    const auto align = [&](const tbb::blocked_range<std::size_t>& range) {
      const std::span<ReadAlignments> reads = aligned_.subspan(range.begin(), range.size());
      for (ReadAlignments& read : reads) read.paths.clear();
      aligners_.local().align(reads, first_number_ + range.begin());
    };
    const tbb::blocked_range<std::size_t> all(0, aligned.size(), reads_per_task);
    tbb::parallel_for(all, align, tbb::simple_partitioner());  // larger groups would leave the caches
  }

  void wait() override {}

  void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                    const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) override {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, (end - first) / 2, reads_per_task / 2), [&](const auto& range) {
          ReadAligner& batch_aligner = aligners_.local();
          batch_aligner.times().begin();
          for (std::size_t pair = range.begin(); pair < range.end(); ++pair) {
            const std::size_t i = first + 2 * pair;
            const auto [one, other] = pair_mates(aligned_[i], aligned_[i + 1], first_number_ + i,
                                                 insert_sizes.of(groups[2 * pair]).view(), options_, batch_aligner);
            choices[2 * pair] = one, choices[2 * pair + 1] = other;
          }
          batch_aligner.times().end(AlignStage::pairs);
        });
  }

  void choose_singles(std::span<Choice> choices) const {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const ReadAlignments& read = aligned_[i];
      choices[i] = choose_single(std::span(read.alignments), read.traits, options_);
    }
  }

  void fetch(std::uint64_t, std::uint64_t, FetchScope) override {}  // the constructor computed them

 private:
  const std::span<ReadAlignments> aligned_;
  const std::uint64_t first_number_;
  const AlignOptions& options_;
  ReadAligners& aligners_;
};

class CpuBatchAligner final : public BatchAligner {
 public:
  CpuBatchAligner(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options)
      : options_(options), aligners_([&fm, &genome, &options] { return ReadAligner(fm, genome, options); }) {}

  std::uint64_t batch_reads() const override { return ReadGroupInsertSizes::reads_to_learn_from; }
  unsigned concurrent_batches() const override { return 1; }

  std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                      const SelectionRequest* selection) override {
    auto job = std::make_unique<CpuAlignmentJob>(aligned, first_number, options_, aligners_);
    if (selection && selection->paired)
      job->choose_pairs(0, aligned.size(), selection->groups, *selection->insert_sizes, selection->choices);
    else if (selection)
      job->choose_singles(selection->choices);
    return job;
  }

  StageTimes times() const override {
    StageTimes times;
    for (const ReadAligner& batch_aligner : aligners_) times.add(batch_aligner.times());
    return times;
  }

 private:
  const AlignOptions& options_;
  ReadAligners aligners_;
};

}  // namespace

std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView& fm, const text::GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits) {
  if (backend.kind == BackendKind::cuda) return cuda::make_batch_aligner(fm, genome, options, backend, limits);
  return std::make_unique<CpuBatchAligner>(fm, genome, options);
}

}  // namespace warpseed::align
