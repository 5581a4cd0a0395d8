#include "records/sorting_writer.hpp"

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "records/duplicate_marker.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

constexpr std::size_t records_a_task = 4096;

/// Of the memory for sorting a quarter is for the run that grows, a quarter for the one that is sorted.
constexpr std::uint64_t run_bytes(const WriterOptions& options) {
  return options.sort_memory_bytes / 4;
}

RunSizes sizes_for(const WriterOptions& options) {
  constexpr std::uint64_t least = 16 << 10, most = 64 << 10;  // of a block: many runs need small ones
  return {held_bytes(options.sort_memory_bytes), std::clamp(options.sort_memory_bytes >> 13, least, most)};
}

std::uint64_t memory_of(std::span<const BamRecord> records, int threads) {
  std::atomic<std::uint64_t> bytes{0};
  for_blocks(threads, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t here = 0;
    for (std::uint64_t i = begin; i < end; ++i) here += waiting_bytes(records[i].get()->m_data);
    bytes += here;
  });
  return bytes;
}

std::vector<LibraryDuplicates> counts_of(std::span<bam1_t* const> records, const LibraryTable& libraries) {
  std::vector<LibraryDuplicates> counts = libraries.empty_counts();
  for (const bam1_t* record : records) counts[libraries.of(record)].count(record);
  return counts;
}

}  // namespace

SortingWriter::SortingWriter(const SamHeader& header, const WriterOptions& options)
    : options_(options),
      file_(open_alignment_file(header, options)),
      libraries_(header.read_group_lines),
      runs_(options.path, options.threads, sizes_for(options), options.temporary_folder) {}

void SortingWriter::write(std::vector<BamRecord> records) {
  if (records.empty()) return;
  if (options_.mark_duplicates) longest_span_ = std::max(longest_span_, store_scores(records, options_.threads));
  waiting_bytes_ += memory_of(records, options_.threads);
  waiting_.push_back(std::move(records));
  if (waiting_bytes_ >= run_bytes(options_)) end_run();
}

/// Hands the waiting records to the background.
void SortingWriter::end_run() {
  if (waiting_.empty()) return;
  if (!sorter_) sorter_.emplace([this](Batches& batches) { add_run(batches); });
  sorter_->write(waiting_);
  waiting_.clear();
  waiting_bytes_ = 0;
}

void SortingWriter::add_run(Batches& batches) {
  Backend backend = options_.backend ? options_.backend() : Backend{};
  backend.threads = options_.threads;
  runs_.add(std::exchange(batches, {}), backend);
}

DuplicateSummary SortingWriter::flush_sorted() {
  end_run();
  if (sorter_) sorter_->finish();
  sorter_.reset();
  std::vector<LibraryDuplicates> counts = write_ranges();
  runs_.clear();
  return options_.mark_duplicates ? libraries_.summary(std::move(counts)) : DuplicateSummary{};
}

/// memory: of a range that has been written, or none. Threads: any.
SortingWriter::MarkedRange SortingWriter::read_range(const RunRange& range, std::int64_t around,
                                                     SortedRecords memory) const {
  MarkedRange read = {std::move(memory), {}};
  runs_.read(range, around, read.records);
  if (!options_.mark_duplicates) return read;
  mark_duplicates(read.records.sorted, read.records.begin, read.records.end);
  read.counts = counts_of(read.records.of_range(), libraries_);
  return read;
}

/// How many of `count` ranges fit in half of the memory for sorting, which the runs that went to disk have left.
std::size_t SortingWriter::ranges_at_a_time(std::size_t count) const {
  const std::uint64_t bytes = 2 * runs_.bytes() / std::max<std::size_t>(count, 1) + 1;  // packed, and read
  const auto most = static_cast<std::size_t>(options_.threads) + 2;
  return std::clamp<std::size_t>(options_.sort_memory_bytes / 2 / bytes, 2, most);
}

/// Writes all records. Returns the counts of marking by library.
std::vector<LibraryDuplicates> SortingWriter::write_ranges() {
  constexpr std::uint64_t range_bytes = 64 << 20;  // much more than the blocks at both ends, which two ranges read
  const std::int64_t around = options_.mark_duplicates ? reach_of(longest_span_) : 0;
  const std::vector<RunRange> ranges = runs_.ranges(std::min(range_bytes, options_.sort_memory_bytes / 8), around);
  std::vector<LibraryDuplicates> counts = libraries_.empty_counts();
  BackgroundWriter<SortedRecords> writer([this](SortedRecords& records) { file_->write(records.of_range()); });
  tbb::concurrent_queue<SortedRecords> written;
  std::size_t next = 0;
  const auto take = [&](tbb::flow_control& control) {
    if (next == ranges.size()) control.stop();
    return next++;
  };
  const auto read = [&](std::size_t i) {
    SortedRecords memory;
    written.try_pop(memory);
    return read_range(ranges[i], around, std::move(memory));
  };
  const auto write = [&](MarkedRange range) {
    for (std::size_t i = 0; i < range.counts.size(); ++i) counts[i] += range.counts[i];
    writer.write(range.records);
    written.push(std::move(range.records));  // the previous range
  };
  constexpr auto in_order = tbb::filter_mode::serial_in_order;
  tbb::task_arena arena(std::max(options_.threads, 1));
  arena.execute([&] {
    tbb::parallel_pipeline(ranges_at_a_time(ranges.size()),
                           tbb::make_filter<void, std::size_t>(in_order, take) &
                               tbb::make_filter<std::size_t, MarkedRange>(tbb::filter_mode::parallel, read) &
                               tbb::make_filter<MarkedRange, void>(in_order, write));
  });
  writer.finish();
  return counts;
}

void SortingWriter::finish() {
  flush_sorted();
  file_->finish();
}

}  // namespace warpseed::records
