#include "records/waiting_records.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "records/duplicate_rule.hpp"
#include "records/record_block.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

constexpr std::size_t records_a_task = 4096;

/// Adds what is known of some records, whose keys go to `keys`.
void add(std::span<const BamRecord> records, std::span<std::uint64_t> keys, WaitingRecords& sums) {
  constexpr std::size_t ahead = 12;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i + ahead < records.size()) prefetch(records[i + ahead].get());
    const bam1_t& record = *records[i].get();
    keys[i] = coordinate_key(&record);
    sums.packed_bytes += packed_bytes(record);
    sums.memory_bytes += waiting_bytes(record.m_data);
  }
}

}  // namespace

WaitingRecords waiting_records(std::vector<BamRecord> records, bool with_scores, int threads) {
  WaitingRecords all = {std::move(records), {}};
  all.keys.resize(all.records.size());
  std::mutex mutex;  // guards the sums in `all`
  for_blocks(threads, all.records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    const std::size_t first = begin_of_read(all.records, begin), past = begin_of_read(all.records, end);
    const std::span<const BamRecord> some = std::span(all.records).subspan(first, past - first);
    WaitingRecords here;
    if (with_scores) here.longest_span = store_scores(some);
    add(some, std::span(all.keys).subspan(first, past - first), here);
    const std::lock_guard lock(mutex);
    all.packed_bytes += here.packed_bytes, all.memory_bytes += here.memory_bytes;
    all.longest_span = std::max(all.longest_span, here.longest_span);
  });
  return all;
}

}  // namespace warpseed::records
