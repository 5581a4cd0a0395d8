#include "align/aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <stdexcept>

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 64;  // small enough to balance, large enough that scheduling costs nothing

struct Worker {
  RecordMaker maker;
  StageTimes times;
};

}  // namespace

/// One worker a thread, made when the thread first asks.
struct Aligner::Workers {
  tbb::enumerable_thread_specific<Worker> local;
};

Aligner::Aligner(const Index& index, const AlignOptions& options, bool paired, const Backend& backend)
    : index_(index),
      options_(options),
      paired_(paired),
      workers_(new Workers{tbb::enumerable_thread_specific<Worker>([this] {
        return Worker{RecordMaker(index_, options_), {}};
      })}),
      placer_(make_batch_placer(index_.fm(), index_.genome(), options_, backend)) {}

Aligner::~Aligner() = default;

StageTimes Aligner::stage_times() const {
  StageTimes times = placer_->times();
  for (const Worker& worker : workers_->local) times.add(worker.times);
  return times;
}

std::vector<PairOfChoices> Aligner::choose_pairs(const ReadBatch& batch) {
  std::vector<PairOfChoices> choices(batch.size() / 2);
  const auto choose = [&](std::uint64_t first, std::uint64_t end) {
    placer_->choose_pairs(batch, first, end, inserts_, std::span(choices).subspan(first / 2, (end - first) / 2));
  };
  std::uint64_t chosen = 0;  // reads
  for (std::uint64_t first = 0; first < batch.size(); first += slice_reads) {
    const std::uint64_t end = std::min(batch.size(), first + slice_reads);
    if (!inserts_.learns_from(batch, first, end)) continue;
    if (chosen < first) choose(chosen, first);
    inserts_.learn(batch, first, placer_->reads(first, end), options_.scoring);
    choose(first, end);
    chosen = end;
  }
  if (chosen < batch.size()) choose(chosen, batch.size());
  return choices;
}

std::vector<ReadRecords> Aligner::align(const ReadBatch& batch) {
  if (paired_ && batch.size() % 2 != 0) throw std::invalid_argument("align: a batch of pairs has an odd size");
  placer_->place(batch, reads_done_);
  reads_done_ += batch.size();
  std::vector<PairOfChoices> choices;
  if (paired_) choices = choose_pairs(batch);
  std::vector<ReadRecords> records(batch.size());
  const std::span<PlacedRead> placed = placer_->reads(0, batch.size());
  const std::size_t step = paired_ ? 2 : 1;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, placed.size() / step, reads_a_task / step), [&](const auto& range) {
        Worker& worker = workers_->local.local();
        worker.times.begin();
        for (std::size_t unit = range.begin(); unit < range.end(); ++unit) {
          const std::size_t i = unit * step;
          if (paired_) {
            std::tie(records[i], records[i + 1]) = worker.maker.pair(placed[i], placed[i + 1], choices[unit]);
          } else {
            records[i] = worker.maker.single(placed[i], choose_single(placed[i], options_));
          }
        }
        worker.times.end(AlignStage::records);
      });
  return records;
}

}  // namespace warpseed
