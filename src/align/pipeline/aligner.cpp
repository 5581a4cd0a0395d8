#include "align/pipeline/aligner.hpp"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "align/pair/first_part.hpp"
#include "align/pipeline/read_tasks.hpp"
#include "core/quoted.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

/// The bases of the longest read whose scores, whole numbers of 32 bits, fit. Those of two mates together must fit, with
/// penalties, and so must that of a whole read of mismatches.
std::uint64_t most_bases(const Scoring& scoring) {
  constexpr std::uint64_t highest = 1'000'000'000, lowest = 2'000'000'000;
  const auto at_least_one = [](std::int32_t value) { return static_cast<std::uint64_t>(std::max(value, 1)); };
  return std::min(highest / at_least_one(scoring.match), lowest / at_least_one(scoring.mismatch));
}

/// Throws InputError for the first read of a batch with more than `most` bases.
[[noreturn]] void reject_longer_than(std::uint64_t most, const reads::ReadBatch& batch, const Scoring& scoring) {
  std::uint64_t i = 0;
  while (batch[i].bases.size() <= most) ++i;
  const reads::ReadView read = batch[i];
  throw InputError(
      fmt::format("read {} has {} bases, -A {} and -B {} take reads of {} at most (scores have 32 bits); give smaller "
                  "ones, or split the read",
                  quoted(read.name), read.bases.size(), scoring.match, scoring.mismatch, most));
}

std::size_t tasks_of(const reads::ReadBatch& batch) {
  const std::size_t per_task = reads_per_task(batch);
  return (batch.size() + per_task - 1) / per_task;
}

/// Calls work(task, begin, end) in parallel for the reads [begin, end) of each task.
template <class Work>
void for_tasks(const reads::ReadBatch& batch, const Work& work) {
  const std::size_t size = batch.size(), per_task = reads_per_task(batch);
  tbb::parallel_for(std::size_t{0}, tasks_of(batch),
                    [&](std::size_t task) { work(task, task * per_task, std::min(size, (task + 1) * per_task)); });
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
  if (made) return batch_aligner().batch_reads();
  return concurrent_batches_ > 1 ? device_batch_reads : slice_reads;
}

/// Gives each read its slot, and the slots their read groups.
void Aligner::arrange(const reads::ReadBatch& batch, AlignmentBatch& aligned) const {
  if (paired_ && (batch.size() - batch.singles().size()) % 2 != 0)
    throw std::invalid_argument("Aligner: a batch of pairs has an odd size");
  aligned.batch = &batch;
  aligned.slots.assign(batch.size(), paired_, batch.singles());
  aligned.reads.resize(batch.size());
  aligned.groups.resize(batch.size());
  for_tasks(batch, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) aligned.groups[aligned.slots.slot_of(i)] = batch[i].read_group;
  });
}

/// Gives the reads of each task the memory after those of the task before.
void Aligner::make_room(const reads::ReadBatch& batch, AlignmentBatch& aligned) const {
  const std::uint64_t most = most_bases(options_.scoring);
  std::atomic<bool> fit = true;
  aligned.begins.resize(tasks_of(batch));
  for_tasks(batch, [&](std::size_t task, std::size_t begin, std::size_t end) {
    ReadMemory needed;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t bases = batch[i].bases.size();
      if (bases > most) fit = false;
      needed.words += PackedRead::words_of(bases), needed.codes += PackedRead::code_bytes(bases);
    }
    aligned.begins[task] = needed;
  });
  if (!fit) reject_longer_than(most, batch, options_.scoring);
  ReadMemory end;
  for (ReadMemory& task : aligned.begins) {
    const ReadMemory needed = std::exchange(task, end);
    end.words += needed.words, end.codes += needed.codes;
  }
  aligned.words.clear(), aligned.codes.clear();  // the old content need not be copied
  aligned.words.resize(end.words), aligned.codes.resize(end.codes);
}

PreparedBatch Aligner::prepare(const reads::ReadBatch& batch, AlignmentBatch& aligned) const {
  arrange(batch, aligned);
  make_room(batch, aligned);
  aligned.memory.clear();
  for_tasks(batch, [&](std::size_t task, std::size_t begin, std::size_t end) {
    ReadMemory at = aligned.begins[task];
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view bases = batch[i].bases;
      const std::uint64_t slot = aligned.slots.slot_of(i);
      const bool single = slot >= aligned.slots.paired_reads();
      ReadAlignments& read = aligned.reads[slot];
      read.read.assign(bases, aligned.words.data() + at.words, aligned.codes.data() + at.codes);
      read.begin_in(aligned.memory);
      read.is_long = options_.long_reads && single && bases.size() > longest_short_read;
      at.words += PackedRead::words_of(bases.size()), at.codes += PackedRead::code_bytes(bases.size());
    }
  });
  return PreparedBatch(aligned);
}

PreparedBatch Aligner::prepared(AlignmentBatch& aligned) const {
  aligned.batch = nullptr;
  aligned.slots.assign(aligned.reads.size(), paired_, {});
  return PreparedBatch(aligned);
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

void Aligner::resume(AlignerState state) {
  mates_begun_ = state.mates, singles_begun_ = state.singles, in_slice_ = state.one_more ? 1 : 0;
  insert_sizes_ = std::move(state.insert_sizes);
  publish_insert_sizes();
}

StageTimes Aligner::times() const {
  StageTimes times = batch_aligner().times();
  for (const LongReadAligner& aligner : long_aligners_) times.add(aligner.times());
  return times;
}

void Aligner::align_long_reads(AlignmentBatch& aligned) const {
  const std::size_t first = aligned.slots.paired_reads();
  tbb::parallel_for(first, aligned.reads.size(), [&](std::size_t i) {
    if (aligned.reads[i].is_long) long_aligners_.local().align(aligned.reads[i], aligned.first_single + i - first);
  });
}

void Aligner::choose_all_first_parts(AlignmentBatch& aligned) const {
  const std::uint64_t paired = aligned.slots.paired_reads();
  for (std::uint64_t i = paired; i < aligned.reads.size(); ++i) {
    if (!aligned.reads[i].is_long) choose_first_part(aligned.reads[i], options_, aligned.choices[i]);
  }
  const auto choose = [&](std::uint64_t first, std::uint64_t end, const ReadGroupInsertSizes& insert_sizes) {
    for (std::uint64_t i = first; i < end; i += 2) {
      choose_first_parts(aligned.reads[i], aligned.reads[i + 1], insert_sizes.of(aligned.groups[i]).view(), options_,
                         aligned.choices[i], aligned.choices[i + 1]);
    }
  };
  if (aligned.complete) return choose(0, paired, *aligned.insert_sizes);
  for (const LearnedPart& part : aligned.parts) choose(part.first, part.end, *part.insert_sizes);
}

BegunBatch Aligner::begin(PreparedBatch prepared) {
  AlignmentBatch& aligned = *prepared.batch_;
  const std::uint64_t count = aligned.reads.size(), paired = aligned.slots.paired_reads();
  const std::uint64_t first_mate = mates_begun_;
  number(aligned);
  aligned.choices.resize(count);
  aligned.insert_sizes = known_insert_sizes();
  const std::span<ReadAlignments> reads = aligned.reads;
  const std::span<const std::uint32_t> groups = aligned.groups;
  const std::span<Choice> choices = aligned.choices;
  // Single reads come first: they leave a device by themselves, pairs to be learnt from stay until finish().
  if (paired < count) {
    const SelectionRequest selection = {false, groups.subspan(paired), aligned.insert_sizes, choices.subspan(paired)};
    aligned.singles_job = batch_aligner().begin(reads.subspan(paired), aligned.first_single, &selection);
  }
  SelectionRequest selection = {true, groups.first(paired), aligned.insert_sizes, choices.first(paired)};
  aligned.complete = !aligned.insert_sizes->learns_from(selection.groups);
  aligned.records.clear();
  if (plain_read_groups_ && aligned.batch && aligned.complete && paired == count) {
    aligned.records.resize(count);
    selection.records = RecordRequest{aligned.batch, &*plain_read_groups_, aligned.records};
  }
  if (paired > 0)
    aligned.pairs_job = batch_aligner().begin(reads.first(paired), first_mate, aligned.complete ? &selection : nullptr);
  aligned.learnt_from = !aligned.complete && to_be_learnt_from_ == 0 && has_new_group(aligned);
  if (aligned.learnt_from)
    learn_now(aligned);
  else if (!aligned.complete)
    ++to_be_learnt_from_;
  return BegunBatch(aligned);
}

/// Nobody may be learning meanwhile.
bool Aligner::has_new_group(const AlignmentBatch& aligned) const {
  for (std::uint64_t i = 0; i < aligned.slots.paired_reads(); i += 2) {
    if (!insert_sizes_.seen(aligned.groups[i])) return true;
  }
  return false;
}

/// Counts the reads of a batch, in input order.
void Aligner::number(AlignmentBatch& aligned) {
  const std::uint64_t count = aligned.reads.size(), paired = aligned.slots.paired_reads();
  aligned.first_single = singles_begun_;
  aligned.in_slice = in_slice_;
  in_slice_ = (in_slice_ + count) % slice_reads == 1 ? 1 : 0;  // one read more than whole slices: the last one's mate
  singles_begun_ += count - paired;
  mates_begun_ += paired;
}

void Aligner::skip(const reads::ReadBatch& batch, AlignmentBatch& memory) {
  arrange(batch, memory);
  if (!insert_sizes_.learns_from(std::span(memory.groups).first(memory.slots.paired_reads()))) return number(memory);
  learn(begin(prepare(batch, memory)));
  memory.pairs_job.reset();
  memory.singles_job.reset();
}

LearnedBatch Aligner::learn(BegunBatch begun) {
  AlignmentBatch& aligned = *begun.batch_;
  if (aligned.learnt_from) return LearnedBatch(aligned);
  learn_now(aligned);
  if (!aligned.complete) --to_be_learnt_from_;
  return LearnedBatch(aligned);
}

void Aligner::learn_now(AlignmentBatch& aligned) {
  if (aligned.singles_job) aligned.singles_job->wait();
  if (aligned.pairs_job) aligned.pairs_job->wait();
  aligned.parts.clear();
  if (!aligned.complete) learn_from_slices(aligned);
}

/// Slices are counted in reads of both kinds: their borders are then those of batches of any size.
void Aligner::learn_from_slices(AlignmentBatch& aligned) {
  const std::span<ReadAlignments> reads = aligned.reads;
  const std::span<const std::uint32_t> groups = aligned.groups;
  std::uint64_t done = 0;  // slots
  const auto add_part = [&](std::uint64_t end) {
    if (done < end) aligned.parts.push_back({done, end, known_insert_sizes()});
    done = end;
  };
  std::uint64_t end = 0;  // of a slice, in slots
  for (std::uint64_t to = slice_reads - aligned.in_slice; end < aligned.slots.paired_reads(); to += slice_reads) {
    const std::uint64_t first = std::exchange(end, aligned.slots.mates_before(std::min(to, reads.size())));
    const std::uint64_t size = end - first;
    if (!insert_sizes_.learns_from(groups.subspan(first, size))) continue;
    add_part(first);
    aligned.pairs_job->fetch(first, end, FetchScope::reported);
    insert_sizes_.learn(groups.subspan(first, size), reads.subspan(first, size), options_.scoring);
    publish_insert_sizes();
    add_part(end);
  }
  add_part(end);
}

AlignedBatch Aligner::finish(LearnedBatch learned) const {
  AlignmentBatch& aligned = *learned.batch_;
  for (const LearnedPart& part : aligned.parts) {
    const std::uint64_t size = part.end - part.first;
    aligned.pairs_job->choose_pairs(part.first, part.end, std::span(aligned.groups).subspan(part.first, size),
                                    *part.insert_sizes, std::span(aligned.choices).subspan(part.first, size));
  }
  if (!aligned.complete) aligned.pairs_job->fetch(0, aligned.slots.paired_reads(), FetchScope::reported);
  aligned.pairs_job.reset();
  aligned.singles_job.reset();
  if (options_.first_part_primary) choose_all_first_parts(aligned);
  align_long_reads(aligned);
  return AlignedBatch(aligned);
}

std::optional<AlignedPair> Aligner::pair_at(AlignedBatch batch, std::size_t i) const {
  const AlignmentBatch& aligned = *batch.batch_;
  const std::uint64_t slot = aligned.slots.slot_of(i);
  if (slot >= aligned.slots.paired_reads()) return std::nullopt;
  return AlignedPair{aligned.reads[slot], aligned.reads[slot + 1], {aligned.choices[slot], aligned.choices[slot + 1]}};
}

bool Aligner::take_records(AlignedBatch batch, std::size_t i, std::vector<records::BamRecord>& to) const {
  AlignmentBatch& aligned = *batch.batch_;
  if (aligned.records.empty()) return false;
  const std::uint64_t slot = aligned.slots.slot_of(i);
  records::BamRecord &first = aligned.records[slot], &second = aligned.records[slot + 1];
  if (!first.get() || !second.get()) return false;
  to.push_back(std::move(first)), to.push_back(std::move(second));
  return true;
}

std::optional<PlainPairs> Aligner::plain_pairs() const {
  if (!PlainPairs::fit(options_)) return std::nullopt;
  return PlainPairs(index_, options_);
}

std::size_t Aligner::make_records(AlignedBatch batch, std::size_t i, RecordBuilder& builder,
                                  std::span<ReadRecords> records) const {
  if (const std::optional<AlignedPair> pair = pair_at(batch, i)) {
    std::tie(records[0], records[1]) = builder.pair(pair->first, pair->second, pair->choices);
    return 2;
  }
  const AlignmentBatch& aligned = *batch.batch_;
  const std::uint64_t slot = aligned.slots.slot_of(i);
  const ReadAlignments& read = aligned.reads[slot];
  records[0] = read.is_long ? builder.long_read(read) : builder.single(read, aligned.choices[slot]);
  return 1;
}

void Aligner::for_each_records(AlignedBatch batch, const std::function<void(std::size_t, ReadRecords&&)>& use) const {
  constexpr std::size_t some_reads = 64;  // per task
  const tbb::blocked_range<std::size_t> all(0, batch.batch_->reads.size(), some_reads);
  tbb::parallel_for(all, [&](const auto& range) {
    RecordBuilder builder = record_builder();
    std::array<ReadRecords, 2> records;
    for (std::size_t i = batch.batch_->slots.not_between_mates(range.begin()); i < range.end();) {
      const std::size_t made = make_records(batch, i, builder, records);
      for (std::size_t mate = 0; mate < made; ++mate) use(i + mate, std::move(records[mate]));
      i += made;
    }
  });
}

std::vector<ReadRecords> Aligner::align(const reads::ReadBatch& batch) {
  AlignmentBatch memory;
  const AlignedBatch aligned = finish(learn(begin(prepare(batch, memory))));
  std::vector<ReadRecords> all(batch.size());
  for_each_records(aligned, [&](std::size_t i, ReadRecords&& records) { all[i] = std::move(records); });
  return all;
}

}  // namespace warpseed::align
