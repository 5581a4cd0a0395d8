#include "align/pipeline/aligner.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "align/pair/first_part.hpp"
#include "align/pipeline/read_tasks.hpp"
#include "core/quoted.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

/// Scores are whole numbers of 32 bits. Those of two mates together must fit, with penalties, and so must that of a
/// whole read of mismatches.
void require_scores_that_fit(const reads::ReadView& read, const Scoring& scoring) {
  constexpr std::uint64_t highest = 1'000'000'000, lowest = 2'000'000'000;
  const auto at_least_one = [](std::int32_t value) { return static_cast<std::uint64_t>(std::max(value, 1)); };
  const std::uint64_t longest =
      std::min(highest / at_least_one(scoring.match), lowest / at_least_one(scoring.mismatch));
  if (read.bases.size() <= longest) return;
  throw InputError(
      fmt::format("read {} has {} bases, -A {} and -B {} take reads of {} at most (scores have 32 bits); give smaller "
                  "ones, or split the read",
                  quoted(read.name), read.bases.size(), scoring.match, scoring.mismatch, longest));
}

}  // namespace

FutureBatchAligner ready(std::unique_ptr<BatchAligner> batch_aligner) {
  std::promise<std::unique_ptr<BatchAligner>> made;
  made.set_value(std::move(batch_aligner));
  return made.get_future().share();
}

Aligner::Aligner(const index::Index& index, const AlignOptions& options, bool paired, const Backend& backend,
                 std::uint64_t memory_bytes)
    : index_(index),
      options_(options),
      paired_(paired),
      batch_aligner_(ready(make_batch_aligner(index_.fm(), index_.genome(), options_, backend, {memory_bytes}))),
      concurrent_batches_(batch_aligner().concurrent_batches()),
      long_aligners_([this] { return LongReadAligner(index_.fm(), index_.genome(), options_); }) {
  publish_insert_sizes();
}

Aligner::Aligner(const index::Index& index, const AlignOptions& options, bool paired, FutureBatchAligner batch_aligner,
                 unsigned concurrent_batches)
    : index_(index),
      options_(options),
      paired_(paired),
      batch_aligner_(std::move(batch_aligner)),
      concurrent_batches_(concurrent_batches),
      long_aligners_([this] { return LongReadAligner(index_.fm(), index_.genome(), options_); }) {
  publish_insert_sizes();
}

std::uint64_t Aligner::batch_reads() const {
  const bool made = batch_aligner_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  return made ? batch_aligner().batch_reads() : slice_reads;
}

PackedBatch Aligner::pack(const reads::ReadBatch& batch, AlignmentBatch& aligned) const {
  if (paired_ && batch.size() % 2 != 0) throw std::invalid_argument("Aligner: a batch of pairs has an odd size");
  aligned.reads.resize(batch.size());
  aligned.groups.resize(batch.size());
  aligned.begins.resize(batch.size());
  std::uint64_t words = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const reads::ReadView read = batch[i];
    require_scores_that_fit(read, options_.scoring);
    aligned.begins[i] = words;
    words += PackedRead::memory_words(read.bases.size());
  }
  aligned.codes.clear();  // the old content need not be copied
  aligned.codes.resize(words);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), reads_per_task(batch)), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      aligned.reads[i].read.assign(batch[i].bases, aligned.codes.data() + aligned.begins[i]);
      aligned.reads[i].has_chains = false;
      aligned.reads[i].is_long = options_.long_reads && !paired_ && batch[i].bases.size() > longest_short_read;
      aligned.groups[i] = batch[i].read_group;
    }
  });
  return packed(aligned);
}

void Aligner::publish_insert_sizes() {
  auto now = std::make_shared<const ReadGroupInsertSizes>(insert_sizes_);
  const std::lock_guard lock(mutex_);
  known_insert_sizes_ = std::move(now);
}

std::shared_ptr<const ReadGroupInsertSizes> Aligner::known_insert_sizes() const {
  const std::lock_guard lock(mutex_);
  return known_insert_sizes_;
}

void Aligner::set_insert_sizes(InsertSizeDistributions distributions) {
  insert_sizes_.set(std::move(distributions));
  publish_insert_sizes();
}

StageTimes Aligner::times() const {
  StageTimes times = batch_aligner().times();
  for (const LongReadAligner& aligner : long_aligners_) times.add(aligner.times());
  return times;
}

void Aligner::align_long_reads(AlignmentBatch& aligned) const {
  tbb::parallel_for(std::size_t{0}, aligned.reads.size(), [&](std::size_t i) {
    if (aligned.reads[i].is_long) long_aligners_.local().align(aligned.reads[i], aligned.first_number + i);
  });
}

void Aligner::choose_all_first_parts(AlignmentBatch& aligned) const {
  const auto choose = [&](std::uint64_t first, std::uint64_t end, const ReadGroupInsertSizes& insert_sizes) {
    for (std::uint64_t i = first; i < end; i += paired_ ? 2 : 1) {
      if (paired_) {
        choose_first_parts(aligned.reads[i], aligned.reads[i + 1], insert_sizes.of(aligned.groups[i]).view(), options_,
                           aligned.choices[i], aligned.choices[i + 1]);
      } else if (!aligned.reads[i].is_long) {
        choose_first_part(aligned.reads[i], options_, aligned.choices[i]);
      }
    }
  };
  if (aligned.complete) return choose(0, aligned.reads.size(), *aligned.insert_sizes);
  for (const LearnedPart& part : aligned.parts) choose(part.first, part.end, *part.insert_sizes);
}

BegunBatch Aligner::begin(PackedBatch packed) {
  AlignmentBatch& aligned = *packed.batch_;
  aligned.choices.resize(aligned.reads.size());
  const SelectionRequest selection = {paired_, aligned.groups, known_insert_sizes(), aligned.choices};
  aligned.complete = !paired_ || !selection.insert_sizes->learns_from(aligned.groups);
  aligned.insert_sizes = selection.insert_sizes;
  aligned.job = batch_aligner().begin(aligned.reads, reads_begun_, aligned.complete ? &selection : nullptr);
  aligned.first_number = reads_begun_;
  reads_begun_ += aligned.reads.size();
  return BegunBatch(aligned);
}

LearnedBatch Aligner::learn(BegunBatch begun) {
  AlignmentBatch& aligned = *begun.batch_;
  aligned.job->wait();
  aligned.parts.clear();
  if (aligned.complete) return LearnedBatch(aligned);
  const std::span<ReadAlignments> reads = aligned.reads;
  const std::span<const std::uint32_t> groups = aligned.groups;
  std::uint64_t done = 0;  // reads
  const auto add_part = [&](std::uint64_t end) {
    if (done < end) aligned.parts.push_back({done, end, known_insert_sizes()});
    done = end;
  };
  for (std::uint64_t first = 0; first < reads.size(); first += slice_reads) {
    const std::uint64_t size = std::min(reads.size() - first, slice_reads);
    if (!insert_sizes_.learns_from(groups.subspan(first, size))) continue;
    add_part(first);
    aligned.job->fetch(first, first + size, FetchScope::reported);
    insert_sizes_.learn(groups.subspan(first, size), reads.subspan(first, size), options_.scoring);
    publish_insert_sizes();
    add_part(first + size);
  }
  add_part(reads.size());
  return LearnedBatch(aligned);
}

AlignedBatch Aligner::finish(LearnedBatch learned) const {
  AlignmentBatch& aligned = *learned.batch_;
  AlignmentJob& job = *aligned.job;
  for (const LearnedPart& part : aligned.parts) {
    const std::uint64_t size = part.end - part.first;
    job.choose_pairs(part.first, part.end, std::span(aligned.groups).subspan(part.first, size), *part.insert_sizes,
                     std::span(aligned.choices).subspan(part.first, size));
  }
  if (!aligned.complete) job.fetch(0, aligned.reads.size(), FetchScope::reported);
  aligned.job.reset();
  if (options_.first_part_primary) choose_all_first_parts(aligned);
  align_long_reads(aligned);
  return AlignedBatch(aligned);
}

void Aligner::make_records(AlignedBatch batch, std::size_t i, RecordBuilder& builder,
                           std::span<ReadRecords> records) const {
  const AlignmentBatch& aligned = *batch.batch_;
  const ReadAlignments& read = aligned.reads[i];
  if (paired_) {
    std::tie(records[0], records[1]) =
        builder.pair(read, aligned.reads[i + 1], {aligned.choices[i], aligned.choices[i + 1]});
  } else {
    records[0] = read.is_long ? builder.long_read(read) : builder.single(read, aligned.choices[i]);
  }
}

void Aligner::for_each_records(AlignedBatch batch, const std::function<void(std::size_t, ReadRecords&&)>& use) const {
  constexpr std::size_t steps_per_task = 64;
  const std::size_t step = paired_ ? 2 : 1, steps = batch.batch_->reads.size() / step;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, steps, steps_per_task), [&](const auto& range) {
    RecordBuilder builder = record_builder();
    std::vector<ReadRecords> records(step);
    for (std::size_t i = range.begin() * step; i < range.end() * step; i += step) {
      make_records(batch, i, builder, records);
      for (std::size_t mate = 0; mate < step; ++mate) use(i + mate, std::move(records[mate]));
    }
  });
}

std::vector<ReadRecords> Aligner::align(const reads::ReadBatch& batch) {
  AlignmentBatch memory;
  const AlignedBatch aligned = finish(learn(begin(pack(batch, memory))));
  std::vector<ReadRecords> all(batch.size());
  for_each_records(aligned, [&](std::size_t i, ReadRecords&& records) { all[i] = std::move(records); });
  return all;
}

}  // namespace warpseed::align
