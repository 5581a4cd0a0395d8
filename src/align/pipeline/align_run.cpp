#include "align/pipeline/align_run.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "align/pipeline/batch_reader.hpp"
#include "align/pipeline/read_tasks.hpp"
#include "core/processors.hpp"
#include "core/timing.hpp"
#include "records/bam_memory.hpp"

namespace warpseed::align {

namespace {

/// A batch in the pipeline. Its memory, except that of `encoded`, is reused for later batches.
struct Batch {
  reads::ReadBatch reads;
  std::uint64_t first = 0;  // number of the first read
  AlignmentBatch aligned;
  std::vector<std::vector<records::BamRecord>> blocks;  // of consecutive reads
  std::vector<records::BamRecord> encoded;
  double input_share = 0;  // of the input that had been read with it; 0 if unknown
};

/// State per thread.
struct Worker {
  Worker(const RunOptions& options, const Aligner& aligner, std::shared_ptr<records::ChunkPool> pool)
      : statistics(options.in_detail, options.coverage),
        builder(aligner.record_builder()),
        plain_pairs(may_be_plain(options) ? aligner.plain_pairs() : std::nullopt),
        memory(std::move(pool)) {}

  /// A plain record has no tags from the comment.
  static bool may_be_plain(const RunOptions& options) { return !options.with_comment; }

  AlignStatistics statistics;
  RecordBuilder builder;
  std::optional<PlainPairs> plain_pairs;
  StageTimes times;
  records::BamMemory memory;
};
using Workers = tbb::enumerable_thread_specific<Worker>;

/// Time during which a stage has at least one batch. Threads: any.
class StageClock {
 public:
  void enter() {
    const std::lock_guard lock(mutex_);
    if (inside_++ == 0) watch_.restart();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) seconds_ += watch_.seconds();
  }
  double seconds() const { return seconds_; }  // valid when no batch is in the stage

 private:
  std::mutex mutex_;
  unsigned inside_ = 0;
  double seconds_ = 0;
  Stopwatch watch_;
};

/// Marks a batch as in the stage while this object lives.
class BusyTime {
 public:
  explicit BusyTime(StageClock& clock) : clock_(clock) { clock_.enter(); }
  BusyTime(const BusyTime&) = delete;
  BusyTime& operator=(const BusyTime&) = delete;
  ~BusyTime() { clock_.leave(); }

 private:
  StageClock& clock_;
};

/// A batch, and the step of the aligner that it has been through.
template <class Step>
struct InFlight {
  Batch* batch;
  Step step;
};

using Batches = std::vector<std::unique_ptr<Batch>>;

Batches make_batches(std::size_t count) {
  Batches batches(count);
  for (auto& batch : batches) batch = std::make_unique<Batch>();
  return batches;
}

/// Few threads do it: the others merge records meanwhile.
void free_batches(Batches& batches, int threads) {
  tbb::task_arena arena(std::max(1, threads / 8));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, batches.size(), [&](std::size_t i) { batches[i].reset(); }); });
}

/// The stages of a run. Each processes one batch at a time; only the backend may process several.
class Stages {
 public:
  Stages(reads::ReadSource& source, Aligner& aligner, records::AlignmentWriter& writer, const RunOptions& options,
         const ProgressCallback& progress)
      : source_(source),
        reader_(source, options.first, options.one_more),
        aligner_(aligner),
        writer_(writer),
        options_(options),
        progress_(progress),
        batches_(make_batches(most_batches(aligner.concurrent_batches()))),
        workers_([this, pool = std::make_shared<records::ChunkPool>()] { return Worker(options_, aligner_, pool); }) {
    if (Worker::may_be_plain(options)) aligner.let_backend_make_records(options.read_groups);
  }

  /// Passes over the reads before the range, except those of a slice in which it begins.
  void skip_to_range() {
    Batch& batch = *batches_.front();
    while (reader_.next_before(batch.reads, options_.range.first)) aligner_.skip(batch.reads, batch.aligned);
  }

  /// Returns null at the end of the input or of the range.
  Batch* read() {
    const BusyTime busy(clock(RunStage::reading));
    Batch& batch = *batches_[next_];  // free: batches leave in input order
    next_ = (next_ + 1) % batches_.size();
    batch.first = reader_.position();
    if (!reader_.next(batch.reads, aligner_.batch_reads(), options_.range.end)) return nullptr;
    if (options_.meter) batch.input_share = options_.meter->share();
    return &batch;
  }

  InFlight<PreparedBatch> prepare(Batch* batch) {
    const BusyTime busy(clock(RunStage::preparing));
    return {batch, aligner_.prepare(batch->reads, batch->aligned)};
  }

  /// Alignment continues after this returns, until pair() is done with the batch.
  InFlight<BegunBatch> align(InFlight<PreparedBatch> prepared) {
    clock(RunStage::aligning).enter();
    return {prepared.batch, aligner_.begin(prepared.step)};
  }

  InFlight<LearnedBatch> learn(InFlight<BegunBatch> begun) { return {begun.batch, aligner_.learn(begun.step)}; }

  /// Runs for several batches at a time.
  InFlight<AlignedBatch> pair(InFlight<LearnedBatch> learned) {
    const AlignedBatch aligned = aligner_.finish(learned.step);
    clock(RunStage::aligning).leave();
    return {learned.batch, aligned};
  }

  /// Builds the BAM records of a batch in parallel, in order.
  Batch* encode(InFlight<AlignedBatch> aligned) {
    const BusyTime busy(clock(RunStage::encoding));
    Batch* const batch = aligned.batch;
    const auto within = [&](std::uint64_t read) {  // the batch
      return std::min<std::uint64_t>(read - std::min(read, batch->first), batch->reads.size());
    };
    const std::size_t begin = within(options_.range.first), end = within(options_.range.end), count = end - begin;
    const std::size_t block_reads = reads_per_task(batch->reads);
    batch->blocks.resize((count + block_reads - 1) / block_reads);
    tbb::parallel_for(std::size_t{0}, batch->blocks.size(), [&](std::size_t i) {
      encode_block(aligned, i, begin + i * block_reads, std::min(end, begin + (i + 1) * block_reads));
    });
    join(batch->blocks, batch->encoded);
    return batch;
  }

  void write(Batch* batch) {
    const BusyTime busy(clock(RunStage::writing));
    writer_.write(std::exchange(batch->encoded, {}));
    done_ += batch->reads.size();
    if (progress_) progress_({"aligning", "reads", done_, 0, batch->input_share});
  }

  std::size_t batches() const { return batches_.size(); }

  /// After it the batches are being freed.
  RunResult result() {
    RunResult run = {AlignStatistics(options_.in_detail), aligner_.times(), {}, {}};
    for (std::size_t i = 0; i < clocks_.size(); ++i) run.times.busy_seconds[i] = clocks_[i].seconds();
    for (const Worker& worker : workers_) run.statistics += worker.statistics, run.stages.add(worker.times);
    run.statistics.counts.paired = source_.paired();
    run.times.wall_seconds = watch_.seconds();
    run.times.cpu_seconds = process_cpu_seconds() - cpu_seconds_before_;
    run.times.cores = std::max(1, std::min(options_.threads, usable_processors()));
    const auto batches = std::make_shared<Batches>(std::move(batches_));
    run.batches_freed.emplace([batches, threads = options_.threads] { free_batches(*batches, threads); });
    return run;
  }

 private:
  StageClock& clock(RunStage stage) { return clocks_[static_cast<std::size_t>(stage)]; }

  static void join(std::vector<std::vector<records::BamRecord>>& blocks, std::vector<records::BamRecord>& joined);
  void encode_block(InFlight<AlignedBatch> aligned, std::size_t block, std::size_t begin, std::size_t end);
  bool encode_plain_pair(InFlight<AlignedBatch> aligned, std::size_t i, Worker& worker,
                         std::vector<records::BamRecord>& made) const;
  std::size_t encode_reads(InFlight<AlignedBatch> aligned, std::size_t i, Worker& worker,
                           std::vector<records::BamRecord>& made) const;

  reads::ReadSource& source_;
  BatchReader reader_;
  Aligner& aligner_;
  records::AlignmentWriter& writer_;
  const RunOptions& options_;
  const ProgressCallback& progress_;
  Batches batches_;
  Workers workers_;
  std::size_t next_ = 0;    // next batch to fill
  std::uint64_t done_ = 0;  // reads written
  std::array<StageClock, run_stage_names.size()> clocks_;
  const Stopwatch watch_;
  const double cpu_seconds_before_ = process_cpu_seconds();
};

/// Moves the records of all blocks, in order, to `joined`, which is empty.
void Stages::join(std::vector<std::vector<records::BamRecord>>& blocks, std::vector<records::BamRecord>& joined) {
  std::vector<std::size_t> begins;  // of each block's
  std::size_t count = 0;
  for (const auto& block : blocks) begins.push_back(std::exchange(count, count + block.size()));
  joined.resize(count);
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
    std::ranges::move(blocks[i], joined.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    blocks[i].clear();
  });
}

/// Adds the statistics and builds the records of one block: the pairs and single reads that begin in [begin, end).
void Stages::encode_block(InFlight<AlignedBatch> aligned, std::size_t block, std::size_t begin, std::size_t end) {
  Batch& batch = *aligned.batch;
  Worker& worker = workers_.local();
  worker.times.begin();
  for (std::size_t i = batch.aligned.slots.not_between_mates(begin); i < end;) {
    for (const std::size_t next : {i + prefetched_reads, i + prefetched_reads + 1})  // and its mate
      if (next < end) batch.aligned.prefetch(next);
    i += encode_plain_pair(aligned, i, worker, batch.blocks[block])
             ? 2
             : encode_reads(aligned, i, worker, batch.blocks[block]);
  }
  worker.times.end(AlignStage::records);
}

/// False if read i and its mate are no plain pair.
bool Stages::encode_plain_pair(InFlight<AlignedBatch> aligned, std::size_t i, Worker& worker,
                               std::vector<records::BamRecord>& made) const {
  if (!worker.plain_pairs) return false;
  const std::optional<AlignedPair> pair = aligner_.pair_at(aligned.step, i);
  const reads::ReadBatch& reads = aligned.batch->reads;
  if (!pair) return false;
  if (!aligner_.take_records(aligned.step, i, made) &&
      !worker.plain_pairs->add(*pair, {reads[i], reads[i + 1]}, options_.read_groups, worker.memory, made))
    return false;
  worker.statistics.add_plain_pair(reads[i], reads[i + 1], pair->choices, *made[made.size() - 2].get(),
                                   *made.back().get());
  return true;
}

/// Returns of how many reads: read i, and its mate unless it is single.
std::size_t Stages::encode_reads(InFlight<AlignedBatch> aligned, std::size_t i, Worker& worker,
                                 std::vector<records::BamRecord>& made) const {
  const reads::ReadBatch& reads = aligned.batch->reads;
  std::array<ReadRecords, 2> records;
  const std::size_t mates = aligner_.make_records(aligned.step, i, worker.builder, records);
  if (mates == 2) {
    worker.statistics.add_pair(reads[i], reads[i + 1], records[0], records[1]);
  } else {
    worker.statistics.add_read(reads[i], records[0]);
  }
  for (std::size_t k = 0; k < mates; ++k) {
    const reads::ReadView read = reads[i + k];
    const std::string& group = options_.read_groups.at(read.read_group);
    for (const records::AlignmentRecord& record : records[k])
      made.emplace_back(record, read, group, options_.with_comment, worker.memory);
  }
  return mates;
}

}  // namespace

RunResult run_alignment(reads::ReadSource& source, Aligner& aligner, records::AlignmentWriter& writer,
                        const RunOptions& options, const ProgressCallback& progress) {
  Stages stages(source, aligner, writer, options, progress);
  const auto read = [&](tbb::flow_control& control) {
    Batch* batch = stages.read();
    if (!batch) control.stop();
    return batch;
  };
  // A thread that waits for subtasks of its own stage must not begin another stage meanwhile.
  const auto alone = [](const auto& work) { return tbb::this_task_arena::isolate(work); };
  using Prepared = InFlight<PreparedBatch>;
  using Begun = InFlight<BegunBatch>;
  using Learned = InFlight<LearnedBatch>;
  using Aligned = InFlight<AlignedBatch>;
  const auto prepare = [&](Batch* batch) { return alone([&] { return stages.prepare(batch); }); };
  const auto align = [&](Prepared batch) { return alone([&] { return stages.align(batch); }); };
  const auto learn = [&](Begun batch) { return alone([&] { return stages.learn(batch); }); };
  const auto pair = [&](Learned batch) { return alone([&] { return stages.pair(batch); }); };
  const auto encode = [&](Aligned batch) { return alone([&] { return stages.encode(batch); }); };
  const auto write = [&](Batch* batch) { alone([&] { stages.write(batch); }); };
  tbb::task_arena arena(options.threads);
  arena.execute([&] {
    stages.skip_to_range();
    constexpr auto in_order = tbb::filter_mode::serial_in_order;
    tbb::parallel_pipeline(
        stages.batches(),
        tbb::make_filter<void, Batch*>(in_order, read) & tbb::make_filter<Batch*, Prepared>(in_order, prepare) &
            tbb::make_filter<Prepared, Begun>(in_order, align) & tbb::make_filter<Begun, Learned>(in_order, learn) &
            tbb::make_filter<Learned, Aligned>(tbb::filter_mode::parallel, pair) &
            tbb::make_filter<Aligned, Batch*>(in_order, encode) & tbb::make_filter<Batch*, void>(in_order, write));
  });
  return stages.result();
}

}  // namespace warpseed::align
