#include "reads/duplicate_marker.hpp"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "core/parallel.hpp"

namespace warpseed {

namespace {

constexpr std::size_t records_a_task = 2048;

}  // namespace

DuplicateMarker::DuplicateMarker(const MarkerOptions& options, RecordSink sink)
    : options_(options), sink_(std::move(sink)) {}

void DuplicateMarker::add(bam1_t* record) {
  if (enough_wait()) settle(record->core.tid, record->core.pos);
  Copy copy = options_.stay == RecordsStay::no ? copy_of(record) : nullptr;
  bam1_t* lasting = copy ? copy.get() : record;
  waiting_.push_back({lasting, std::move(copy), std::numeric_limits<std::int64_t>::min()});
  if (takes_part(record) && !is_of_pair(record)) ++singles_waiting_;
}

void DuplicateMarker::finish() {
  settle(-1, 0);
}

DuplicateMarker::Copy DuplicateMarker::copy_of(const bam1_t* record) {
  if (spare_.empty()) spare_.emplace_back(bam_init1());
  Copy copy = std::move(spare_.back());
  spare_.pop_back();
  if (!copy || !bam_copy1(copy.get(), record)) throw std::bad_alloc();
  copied_bytes_ += static_cast<std::uint64_t>(record->l_data);
  return copy;
}

/// What is left each time is looked at again: to let as many come as are left bounds how often.
bool DuplicateMarker::enough_wait() const {
  if (waiting_.empty() || waiting_.size() < 2 * left_) return false;
  return waiting_.size() >= options_.least_records || copied_bytes_ >= options_.least_bytes;
}

/// Marks, and hands over what the record that comes next, at that place, cannot change any more. Contig -1: nothing
/// does that has a place.
void DuplicateMarker::settle(std::int32_t contig, std::int64_t position) {
  mark();
  std::size_t done = 0;
  while (done < waiting_.size()) {
    Waiting& first = waiting_[done];
    if (first.record->core.tid == contig && first.last_equal >= position) break;
    hand_over(first);
    ++done;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
  left_ = waiting_.size();
}

void DuplicateMarker::mark() {
  const std::size_t count = waiting_.size();
  std::vector<std::vector<DuplicateClaim>> parts((count + records_a_task - 1) / records_a_task);
  for_blocks(options_.threads, count, records_a_task,
             [&](std::uint64_t begin, std::uint64_t end) { add_claims(begin, end, parts[begin / records_a_task]); });
  claims_.clear();
  for (const auto& part : parts) claims_.insert(claims_.end(), part.begin(), part.end());
  tbb::task_arena arena(std::max(options_.threads, 1));
  arena.execute([&] { tbb::parallel_sort(claims_.begin(), claims_.end(), comes_before); });
  for (std::size_t i = 1; i < claims_.size(); ++i) {
    const DuplicateClaim& claim = claims_[i];
    if (claim.loses() && claim.same_as(claims_[i - 1])) claim.record->core.flag |= BAM_FDUP;
  }
}

void DuplicateMarker::add_claims(std::size_t begin, std::size_t end, std::vector<DuplicateClaim>& claims) {
  for (std::size_t i = begin; i < end; ++i) {
    bam1_t* record = waiting_[i].record;
    if (!takes_part(record)) continue;
    waiting_[i].last_equal = ends_of(record).high + options_.reach;
    const auto order = static_cast<std::uint32_t>(i);
    if (is_of_pair(record)) claims.push_back(pair_claim(record, order));
    if (singles_waiting_ > 0) claims.push_back(place_claim(record, order));
  }
}

void DuplicateMarker::hand_over(Waiting& first) {
  if (takes_part(first.record)) {
    const bool of_pair = is_of_pair(first.record), marked = (first.record->core.flag & BAM_FDUP) != 0;
    ++(of_pair ? counts_.of_pairs : counts_.single);
    if (marked) ++(of_pair ? counts_.of_pairs_marked : counts_.single_marked);
    if (!of_pair) --singles_waiting_;
  }
  sink_(first.record);
  if (!first.copy) return;
  copied_bytes_ -= static_cast<std::uint64_t>(first.copy->l_data);
  spare_.push_back(std::move(first.copy));
}

}  // namespace warpseed
