#include "records/duplicate_marker.hpp"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "core/parallel.hpp"

namespace warpseed::records {

namespace {

constexpr std::size_t records_a_task = 2048;
constexpr std::int64_t before_all = std::numeric_limits<std::int64_t>::min();

}  // namespace

DuplicateMarker::DuplicateMarker(const MarkerOptions& options, RecordSink sink, LibraryTable libraries)
    : options_(options), sink_(std::move(sink)), libraries_(std::move(libraries)), counts_(libraries_.empty_counts()) {}

void DuplicateMarker::add(std::vector<BamRecord> records) {
  if (records.empty()) return;
  if (enough_wait()) mark_before(records.front().get()->core.tid, records.front().get()->core.pos);
  const std::size_t begin = waiting_.size();
  waiting_.reserve(begin + records.size());
  for (BamRecord& record : records) waiting_.push_back({std::move(record), 0, 0, false, false});
  look_at(begin);
}

void DuplicateMarker::finish() {
  mark_before(-1, 0);
}

/// Records that are kept are compared again. Waiting for as many new ones as were kept bounds how often.
bool DuplicateMarker::enough_wait() const {
  if (waiting_.empty() || waiting_.size() < 2 * left_) return false;
  return waiting_.size() >= options_.min_records || bytes_ >= options_.least_bytes;
}

/// Examines the records from `begin` on, which were just added.
void DuplicateMarker::look_at(std::size_t begin) {
  std::atomic<std::uint64_t> singles{0}, bytes{0};
  for_blocks(options_.threads, waiting_.size() - begin, records_a_task, [&](std::uint64_t first, std::uint64_t end) {
    std::uint64_t singles_here = 0, bytes_here = 0;
    for (std::uint64_t i = begin + first; i < begin + end; ++i) {
      Waiting& waiting = waiting_[i];
      const bam1_t* record = waiting.record.get();
      waiting.contig = record->core.tid;
      waiting.takes_part = records::takes_part(record), waiting.of_pair = is_of_pair(record);
      waiting.last_equal = waiting.takes_part ? ends_of(record).high + options_.reach : before_all;
      singles_here += waiting.takes_part && !waiting.of_pair;
      bytes_here += static_cast<std::uint64_t>(record->l_data);
    }
    singles += singles_here, bytes += bytes_here;
  });
  singles_waiting_ += singles, bytes_ += bytes;
}

/// Marks duplicates, and emits the records that the next one, at this position, cannot affect (contig -1: all).
void DuplicateMarker::mark_before(std::int32_t contig, std::int64_t position) {
  mark();
  const auto stays = [&](const Waiting& waiting) { return waiting.contig == contig && waiting.last_equal >= position; };
  const auto first = std::find_if(waiting_.begin(), waiting_.end(), stays);
  emit(static_cast<std::size_t>(first - waiting_.begin()));
  left_ = waiting_.size();
  bytes_ = 0;
}

void DuplicateMarker::mark() {
  gather_claims();
  tbb::task_arena arena(std::max(options_.threads, 1));
  arena.execute([&] { tbb::parallel_sort(claims_.begin(), claims_.end(), comes_before); });
  for_blocks(options_.threads, claims_.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = std::max<std::uint64_t>(begin, 1); i < end; ++i) {
      const DuplicateKey& claim = claims_[i];
      if (claim.loses() && claim.same_as(claims_[i - 1])) claim.record->core.flag |= BAM_FDUP;
    }
  });
}

/// Collects the waiting records' claims. A record of a pair has its pair's, and one to its end if any read is single.
void DuplicateMarker::gather_claims() {
  const std::size_t count = waiting_.size();
  std::vector<std::vector<DuplicateKey>> parts((count + records_a_task - 1) / records_a_task);
  for_blocks(options_.threads, count, records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<DuplicateKey>& claims = parts[begin / records_a_task];
    for (std::uint64_t i = begin; i < end; ++i) {
      const Waiting& waiting = waiting_[i];
      const auto order = static_cast<std::uint32_t>(i);
      if (!waiting.takes_part) continue;
      if (waiting.of_pair) claims.push_back(pair_claim(waiting.record.get(), order));
      if (singles_waiting_ > 0) claims.push_back(single_end_claim(waiting.record.get(), order));
    }
  });
  claims_.clear();
  for (const auto& part : parts) claims_.insert(claims_.end(), part.begin(), part.end());
}

/// Emits the first `count` waiting records.
void DuplicateMarker::emit(std::size_t count) {
  tally(count);
  std::vector<BamRecord> records;
  records.reserve(count);
  for (std::size_t i = 0; i < count; ++i) records.push_back(std::move(waiting_[i].record));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  if (!records.empty()) sink_(std::move(records));
}

/// Counts the first `count` waiting records.
void DuplicateMarker::tally(std::size_t count) {
  std::mutex mutex;
  for_blocks(options_.threads, count, records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<LibraryDuplicates> here(counts_.size());
    for (std::uint64_t i = begin; i < end; ++i) {
      const bam1_t* record = waiting_[i].record.get();
      here[libraries_.of(record)].count(record);
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < here.size(); ++i) {
      counts_[i] += here[i];
      singles_waiting_ -= here[i].compared.single;
    }
  });
}

}  // namespace warpseed::records
