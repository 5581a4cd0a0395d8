#include "reads/alignment_writer.hpp"

#include <htslib/sam.h>

#include <algorithm>
#include <future>
#include <stdexcept>
#include <utility>

#include "core/parallel.hpp"
#include "reads/alignment_file.hpp"
#include "reads/bam_memory.hpp"
#include "reads/duplicate_marker.hpp"
#include "reads/hts_threads.hpp"
#include "reads/record_run.hpp"

namespace warpseed {

namespace {

/// Frees records by many threads: each goes to where it came from, which is far from this one's caches.
void release(std::vector<BamRecord>& records, int threads) {
  constexpr std::uint64_t records_a_task = 1 << 13;
  for_blocks(threads, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) BamRecord(std::move(records[i]));
  });
  records.clear();
}

class PlainWriter final : public AlignmentWriter {
 public:
  PlainWriter(const SamHeader& header, const WriterOptions& options)
      : file_(open_alignment_file(header, options)), threads_(options.threads) {}

  void write(std::vector<BamRecord> records) override {
    pointers_.clear();
    for (const BamRecord& record : records) pointers_.push_back(record.get());
    file_->write(pointers_);
    release(records, threads_);
  }

  void finish() override { file_->finish(); }

 private:
  const std::unique_ptr<AlignmentFile> file_;
  const int threads_;
  std::vector<const bam1_t*> pointers_;
};

/// What a record costs while it waits: itself, its data, the allocator's headers, its pointer and its sort key.
std::uint64_t memory_of(const bam1_t* record) {
  return sizeof(bam1_t) + record->m_data + 2 * 16 + sizeof(BamRecord) + 16;
}

/// Collects records and writes many at a time, while the next ones come.
class RecordCollector {
 public:
  /// stay: else records are copied.
  RecordCollector(AlignmentFile& file, RecordsStay stay) : file_(file), stay_(stay) {}

  void add(const bam1_t* record) {
    if (stay_ == RecordsStay::no) {
      collected_.copies.emplace_back(*record, memory_);
      record = collected_.copies.back().get();
    }
    collected_.records.push_back(record);
    if (collected_.records.size() == records_at_a_time) pass_on();
  }
  void finish() {
    pass_on();
    writing_.get();
  }

 private:
  struct Collected {
    std::vector<const bam1_t*> records;
    std::vector<BamRecord> copies;  // what they point at, unless they stay
  };
  static constexpr std::size_t records_at_a_time = 1 << 16;  // work for many threads

  void pass_on() {
    if (writing_.valid()) writing_.get();
    std::swap(collected_, written_);
    collected_.records.clear(), collected_.copies.clear();
    writing_ = std::async(std::launch::async, [this] { file_.write(written_.records); });
  }

  AlignmentFile& file_;
  const RecordsStay stay_;
  BamMemory memory_;
  Collected collected_, written_;
  std::future<void> writing_;  // waits when it goes
};

/// Keeps records in memory as long as they fit, and sorted runs on disk beyond that. The order is a total one
/// (place, then input order), so the output does not depend on where the runs were cut.
class SortingWriter final : public AlignmentWriter {
 public:
  SortingWriter(const SamHeader& header, const WriterOptions& options)
      : options_(options), threads_(options.threads), file_(open_alignment_file(header, options)) {}

  void write(std::vector<BamRecord> records) override {
    if (options_.mark_duplicates) longest_span_ = std::max(longest_span_, note_scores(records));
    for (BamRecord& record : records) {
      memory_bytes_ += memory_of(record.get());
      waiting_.push_back(std::move(record));
      if (memory_bytes_ >= options_.sort_memory_bytes) spill();
    }
  }

  DuplicateCounts write_waiting() override {
    if (!runs_.empty()) spill();
    const DuplicateCounts duplicates = runs_.empty() ? write_from_memory() : write_from_runs();
    release(waiting_, options_.threads);
    runs_.clear();
    return duplicates;
  }

  void finish() override {
    write_waiting();
    file_->finish();
  }

 private:
  DuplicateCounts write_from_memory() {
    return write_marked(RecordsStay::yes,
                        [&](const RecordSink& sink) { emit_sorted(waiting_, options_.threads, sink); });
  }

  DuplicateCounts write_from_runs() {
    return write_marked(RecordsStay::no, [&](const RecordSink& sink) { merge_runs(runs_, sink); });
  }

  /// All records in the order of `emit`.
  template <class Emit>
  DuplicateCounts write_marked(RecordsStay stay, const Emit& emit) {
    RecordCollector collector(*file_, stay);
    const DuplicateCounts duplicates = mark(stay, emit, [&](const bam1_t* record) { collector.add(record); });
    collector.finish();
    return duplicates;
  }

  /// Takes all records in order from `emit` to `sink`, by way of the marker if duplicates are marked.
  template <class Emit>
  DuplicateCounts mark(RecordsStay stay, const Emit& emit, const RecordSink& sink) {
    if (!options_.mark_duplicates) return emit(sink), DuplicateCounts{};
    DuplicateMarker marker({longest_span_, stay, options_.threads}, sink);
    emit([&](bam1_t* record) { marker.add(record); });
    marker.finish();
    return marker.counts();
  }

  void spill() {
    if (waiting_.empty()) return;
    if (runs_.size() == most_runs) join_runs();
    RecordRun run(options_.path, threads_);
    emit_sorted(waiting_, options_.threads, [&](const bam1_t* record) { run.write(record); });
    run.end_writing();
    runs_.push_back(std::move(run));
    release(waiting_, options_.threads);
    memory_bytes_ = 0;
  }

  void join_runs() {
    RecordRun joined(options_.path, threads_);
    merge_runs(runs_, [&](const bam1_t* record) { joined.write(record); });
    joined.end_writing();
    runs_.clear();
    runs_.push_back(std::move(joined));
  }

  static constexpr std::uint64_t most_runs = 128;  // open files: two descriptors a run, 1024 is a usual limit

  WriterOptions options_;
  HtsThreads threads_;
  const std::unique_ptr<AlignmentFile> file_;
  std::vector<RecordRun> runs_;
  std::vector<BamRecord> waiting_;
  std::uint64_t memory_bytes_ = 0;
  std::int64_t longest_span_ = 0;  // of the reads that are compared for being duplicates
};

}  // namespace

std::unique_ptr<AlignmentWriter> open_alignments(const SamHeader& header, const WriterOptions& options) {
  if (options.mark_duplicates && !options.sort) {
    throw std::invalid_argument("open_alignments: duplicates are marked in coordinate order, so with `sort` only");
  }
  if (options.sort) return std::make_unique<SortingWriter>(header, options);
  return std::make_unique<PlainWriter>(header, options);
}

}  // namespace warpseed
