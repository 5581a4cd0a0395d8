#include "align/aligner.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <stdexcept>

namespace warpseed {

namespace {

constexpr std::size_t reads_a_task = 256;  // small enough to balance, large enough that scheduling costs nothing

}  // namespace

Aligner::Aligner(const Index& index, const AlignOptions& options, bool paired, const Backend& backend)
    : index_(index),
      options_(options),
      paired_(paired),
      placer_(make_batch_placer(index_.fm(), index_.genome(), options_, backend)) {}

void Aligner::pack(const ReadBatch& batch, PlacedBatch& placed) const {
  if (paired_ && batch.size() % 2 != 0) throw std::invalid_argument("Aligner: a batch of pairs has an odd size");
  placed.reads.resize(batch.size());
  placed.groups.resize(batch.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), reads_a_task), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      placed.reads[i].read.assign(batch[i].letters);
      placed.groups[i] = batch[i].read_group;
    }
  });
}

void Aligner::choose_pairs(PlacedBatch& placed) {
  const std::span<PlacedRead> reads = placed.reads;
  const std::span<const std::uint32_t> groups = placed.groups;
  placed.choices.resize(reads.size() / 2);
  const auto choose = [&](std::uint64_t first, std::uint64_t end) {
    placer_->choose_pairs(first, end, groups.subspan(first, end - first), inserts_,
                          std::span(placed.choices).subspan(first / 2, (end - first) / 2));
  };
  std::uint64_t chosen = 0;  // reads
  for (std::uint64_t first = 0; first < reads.size(); first += slice_reads) {
    const std::uint64_t size = std::min(reads.size() - first, slice_reads);
    if (!inserts_.learns_from(groups.subspan(first, size))) continue;
    if (chosen < first) choose(chosen, first);
    placer_->fetch(first, first + size);
    inserts_.learn(groups.subspan(first, size), reads.subspan(first, size), options_.scoring);
    choose(first, first + size);
    chosen = first + size;
  }
  if (chosen < reads.size()) choose(chosen, reads.size());
}

void Aligner::place(PlacedBatch& placed) {
  placer_->place(placed.reads, reads_done_);
  reads_done_ += placed.reads.size();
  if (paired_) choose_pairs(placed);
  placer_->fetch(0, placed.reads.size());
}

void Aligner::make_records(const PlacedBatch& placed, std::size_t i, RecordMaker& maker,
                           std::span<ReadRecords> records) const {
  const PlacedRead& read = placed.reads[i];
  if (paired_) {
    std::tie(records[0], records[1]) = maker.pair(read, placed.reads[i + 1], placed.choices[i / 2]);
  } else {
    records[0] = maker.single(read, choose_single(std::span(read.alignments), read.traits, options_));
  }
}

std::vector<ReadRecords> Aligner::align(const ReadBatch& batch) {
  PlacedBatch placed;
  pack(batch, placed);
  place(placed);
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
