#include "records/sorting_writer.hpp"

#include <algorithm>
#include <utility>

#include "records/duplicate_marker.hpp"
#include "records/range_writer.hpp"
#include "records/record_order.hpp"
#include "records/shard.hpp"

namespace warpseed::records {

namespace {

/// Of the memory for sorting a quarter is for the run that grows, a quarter for the one that is sorted. With a device an
/// eighth each: most records of these runs are then in page-locked memory, which takes long to lock.
std::uint64_t run_bytes(const WriterOptions& options) {
  const bool on_device = options.backend && options.backend().kind == BackendKind::cuda;
  return options.sort_memory_bytes / (on_device ? 8 : 4);
}

RunSizes sizes_for(const WriterOptions& options) {
  constexpr std::uint64_t least = 16 << 10, most = 64 << 10;  // of a block: many runs need small ones
  return {held_bytes(options.sort_memory_bytes), std::clamp(options.sort_memory_bytes >> 13, least, most)};
}

}  // namespace

SortingWriter::SortingWriter(const SamHeader& header, const WriterOptions& options)
    : options_(options),
      header_(header),
      file_(open_alignment_file(header, options)),
      libraries_(header.read_group_lines),
      runs_(options.path, options.threads, sizes_for(options), options.temporary_folder) {
  if (options_.shard) file_.reset();  // it could be opened; its header is not known yet
}

void SortingWriter::write(std::vector<BamRecord> records) {
  if (records.empty()) return;
  waiting_.push_back(waiting_records(std::move(records), options_.mark_duplicates, options_.threads));
  longest_span_ = std::max(longest_span_, waiting_.back().longest_span);
  waiting_bytes_ += waiting_.back().memory_bytes;
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
  if (!file_) open_shard();
  std::vector<LibraryDuplicates> counts = write_records();
  runs_.clear();
  return marks() ? libraries_.summary(std::move(counts)) : DuplicateSummary{};
}

void SortingWriter::open_shard() {
  Shard shard = *options_.shard;
  if (options_.mark_duplicates) shard.longest_span = longest_span_;
  header_.comment_lines.push_back(shard_line(shard));
  file_ = open_alignment_file(header_, options_);
}

/// How many of `count` ranges fit in half of the memory for sorting, which the runs that went to disk have left.
std::size_t SortingWriter::ranges_at_a_time(std::size_t count) const {
  const std::uint64_t bytes = 2 * runs_.bytes() / std::max<std::size_t>(count, 1) + 1;  // packed, and read
  const auto threads = static_cast<std::size_t>(options_.threads);
  const std::size_t most = threads + threads / 2 + 2;  // some wait for a device, or for one before them
  return std::clamp<std::size_t>(options_.sort_memory_bytes / 2 / bytes, 2, most);
}

/// Writes all records. Returns the counts of marking by library.
std::vector<LibraryDuplicates> SortingWriter::write_records() {
  constexpr std::uint64_t range_bytes = 48 << 20;  // much more than the blocks at both ends, which two ranges read
  const std::int64_t around = marks() ? reach_of(longest_span_) : 0;
  const std::vector<RunRange> ranges = runs_.ranges(std::min(range_bytes, options_.sort_memory_bytes / 8), around);
  std::vector<LibraryDuplicates> counts = libraries_.empty_counts();
  std::size_t next = 0;
  const auto take = [&] { return next < ranges.size() ? std::optional(ranges[next++]) : std::nullopt; };
  const auto read = [&](const RunRange& range, SortedRecords& records) {
    runs_.read(range, around, records);
    if (options_.shard && options_.mark_duplicates)
      append_pair_scores(records.of_range(), records.facts_of_range(), records.with_tags);
    return marks() ? mark_duplicates(records.to_mark(), libraries_, records.marking) : std::vector<LibraryDuplicates>{};
  };
  const auto add = [&](const std::vector<LibraryDuplicates>& marked) { add_counts(marked, counts); };
  write_ranges(*file_, options_.threads, ranges_at_a_time(ranges.size()), take, read, add);
  return counts;
}

void SortingWriter::finish() {
  flush_sorted();
  file_->finish();
}

}  // namespace warpseed::records
