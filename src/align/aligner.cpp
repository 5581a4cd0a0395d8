#include "align/aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <stdexcept>

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 64;  // small enough to balance, large enough that scheduling costs nothing

struct Worker {
  ReadPlacer placer;
  RecordMaker maker;
};

}  // namespace

/// One worker a thread, made when the thread first asks.
struct Aligner::Workers {
  tbb::enumerable_thread_specific<Worker> local;
};

Aligner::Aligner(const Index& index, const AlignOptions& options, bool paired, const Backend& backend)
    : index_(index), options_(options), paired_(paired) {
  const auto make_worker = [this] {
    return Worker{ReadPlacer(index_.fm(), index_.genome(), options_), RecordMaker(index_, options_)};
  };
  workers_ = std::make_unique<Workers>(Workers{tbb::enumerable_thread_specific<Worker>(make_worker)});
  if (backend.kind != BackendKind::cpu) device_ = make_hit_finder(index_.fm(), index_.genome(), options_, backend);
}

Aligner::~Aligner() = default;

StageTimes Aligner::stage_times() const {
  StageTimes times = device_times_;
  for (const Worker& worker : workers_->local) times.add(worker.placer.times());
  return times;
}

void Aligner::place_by_device(const ReadBatch& batch) {
  const tbb::blocked_range<std::size_t> all(0, batch.size(), reads_a_task);
  tbb::parallel_for(all, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) placed_[i].read.assign(batch[i].letters);
  });
  device_->find(placed_, device_times_);
  tbb::parallel_for(all, [&](const auto& range) {
    ReadPlacer& placer = workers_->local.local().placer;
    placer.times().begin();
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      placer.place(device_->hits(i), placed_[i], reads_done_ + i);
  });
}

void Aligner::place_all(const ReadBatch& batch) {
  if (device_) return place_by_device(batch);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), reads_a_task), [&](const auto& range) {
    ReadPlacer& placer = workers_->local.local().placer;
    for (std::size_t i = range.begin(); i < range.end(); ++i) placed_[i].read.assign(batch[i].letters);
    placer.place(std::span(placed_).subspan(range.begin(), range.size()), reads_done_ + range.begin());
  });
}

void Aligner::choose_all(const ReadBatch& batch, std::vector<ReadRecords>& records) {
  const std::size_t step = paired_ ? 2 : 1;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, placed_.size() / step, reads_a_task / step),
                    [&](const auto& range) {
                      Worker& worker = workers_->local.local();
                      StageTimes& times = worker.placer.times();
                      times.begin();
                      for (std::size_t i = range.begin() * step; i < range.end() * step; i += step) {
                        if (!paired_) {
                          records[i] = worker.maker.single(placed_[i], choose_single(placed_[i], options_));
                          times.end(AlignStage::records);
                          continue;
                        }
                        const PairOfChoices choices =
                            choose_together(placed_[i], placed_[i + 1], reads_done_ + i,
                                            inserts_.of(batch[i].read_group).view(), options_, worker.placer);
                        times.end(AlignStage::pairs);
                        std::tie(records[i], records[i + 1]) = worker.maker.pair(placed_[i], placed_[i + 1], choices);
                        times.end(AlignStage::records);
                      }
                    });
}

std::vector<ReadRecords> Aligner::align(const ReadBatch& batch) {
  if (paired_ && batch.size() % 2 != 0) throw std::invalid_argument("align: a batch of pairs has an odd size");
  placed_.resize(batch.size());
  place_all(batch);
  if (paired_) inserts_.learn(batch, placed_, options_.scoring);
  std::vector<ReadRecords> records(batch.size());
  choose_all(batch, records);
  reads_done_ += batch.size();
  return records;
}

}  // namespace warpseed
