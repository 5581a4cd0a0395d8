#include "align/pipeline/aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 256;  // small enough to balance, large enough that scheduling costs nothing

FuturePlacer ready(std::unique_ptr<BatchPlacer> placer) {
  std::promise<std::unique_ptr<BatchPlacer>> made;
  made.set_value(std::move(placer));
  return made.get_future().share();
}

}  // namespace

Aligner::Aligner(const Index& index, const AlignOptions& options, bool paired, const Backend& backend,
                 std::uint64_t memory_bytes)
    : index_(index),
      options_(options),
      paired_(paired),
      placer_(ready(make_batch_placer(index_.fm(), index_.genome(), options_, backend, {memory_bytes}))),
      batches_at_a_time_(placer().batches_at_a_time()) {
  publish_inserts();
}

Aligner::Aligner(const Index& index, const AlignOptions& options, bool paired, FuturePlacer placer,
                 unsigned batches_at_a_time)
    : index_(index),
      options_(options),
      paired_(paired),
      placer_(std::move(placer)),
      batches_at_a_time_(batches_at_a_time) {
  publish_inserts();
}

std::uint64_t Aligner::batch_reads() const {
  const bool made = placer_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  return made ? placer().batch_reads() : slice_reads;
}

void Aligner::pack(const ReadBatch& batch, PlacedBatch& placed) const {
  if (paired_ && batch.size() % 2 != 0) throw std::invalid_argument("Aligner: a batch of pairs has an odd size");
  placed.reads.resize(batch.size());
  placed.groups.resize(batch.size());
  placed.begins.resize(batch.size());
  std::uint64_t words = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    placed.begins[i] = words;
    words += TurnedRead::memory_words(batch[i].letters.size());
  }
  placed.codes.clear();  // what is there need not be kept
  placed.codes.resize(words);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), reads_a_task), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      placed.reads[i].read.assign(batch[i].letters, placed.codes.data() + placed.begins[i]);
      placed.groups[i] = batch[i].read_group;
    }
  });
}

void Aligner::publish_inserts() {
  auto now = std::make_shared<const GroupInserts>(inserts_);
  const std::lock_guard lock(mutex_);
  known_inserts_ = std::move(now);
}

std::shared_ptr<const GroupInserts> Aligner::known_inserts() const {
  const std::lock_guard lock(mutex_);
  return known_inserts_;
}

void Aligner::set_insert_models(InsertModels models) {
  inserts_.give(std::move(models));
  publish_inserts();
}

void Aligner::begin(PlacedBatch& placed) {
  placed.choices.resize(placed.reads.size());
  const Choosing choosing = {paired_, placed.groups, known_inserts(), placed.choices};
  placed.complete = !paired_ || !choosing.inserts->learns_from(placed.groups);
  placed.placement = placer().begin(placed.reads, reads_begun_, placed.complete ? &choosing : nullptr);
  reads_begun_ += placed.reads.size();
}

void Aligner::learn(PlacedBatch& placed) {
  placed.placement->wait();
  placed.parts.clear();
  if (placed.complete) return;
  const std::span<PlacedRead> reads = placed.reads;
  const std::span<const std::uint32_t> groups = placed.groups;
  std::uint64_t done = 0;  // reads
  const auto add_part = [&](std::uint64_t end) {
    if (done < end) placed.parts.push_back({done, end, known_inserts()});
    done = end;
  };
  for (std::uint64_t first = 0; first < reads.size(); first += slice_reads) {
    const std::uint64_t size = std::min(reads.size() - first, slice_reads);
    if (!inserts_.learns_from(groups.subspan(first, size))) continue;
    add_part(first);
    placed.placement->fetch(first, first + size, Fetched::reported);
    inserts_.learn(groups.subspan(first, size), reads.subspan(first, size), options_.scoring);
    publish_inserts();
    add_part(first + size);
  }
  add_part(reads.size());
}

void Aligner::finish(PlacedBatch& placed) const {
  Placement& placement = *placed.placement;
  for (const LearntPart& part : placed.parts) {
    const std::uint64_t size = part.end - part.first;
    placement.choose_pairs(part.first, part.end, std::span(placed.groups).subspan(part.first, size), *part.inserts,
                           std::span(placed.choices).subspan(part.first, size));
  }
  if (!placed.complete) placement.fetch(0, placed.reads.size(), Fetched::reported);
  placed.placement.reset();
}

void Aligner::make_records(const PlacedBatch& placed, std::size_t i, RecordMaker& maker,
                           std::span<ReadRecords> records) const {
  const PlacedRead& read = placed.reads[i];
  if (paired_) {
    std::tie(records[0], records[1]) =
        maker.pair(read, placed.reads[i + 1], {placed.choices[i], placed.choices[i + 1]});
  } else {
    records[0] = maker.single(read, placed.choices[i]);
  }
}

std::vector<ReadRecords> Aligner::align(const ReadBatch& batch) {
  PlacedBatch placed;
  pack(batch, placed);
  begin(placed);
  learn(placed);
  finish(placed);
  std::vector<ReadRecords> records(batch.size());
  const std::size_t step = paired_ ? 2 : 1;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, records.size() / step, reads_a_task), [&](const auto& range) {
    RecordMaker maker = record_maker();
    for (std::size_t i = range.begin() * step; i < range.end() * step; i += step)
      make_records(placed, i, maker, std::span(records).subspan(i, step));
  });
  return records;
}

}  // namespace warpseed
