#include "records/record_order.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "sort/key_order.hpp"

namespace warpseed::records {

void release(std::vector<BamRecord>& records, int threads) {
  constexpr std::uint64_t records_a_task = 1 << 13;
  for_blocks(threads, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) BamRecord(std::move(records[i]));
  });
  records.clear();
}

void emit_sorted(std::vector<BamRecord> records, const Backend& backend, const RecordSink& sink) {
  constexpr std::uint64_t records_at_a_time = 1 << 16;  // work for many threads
  const std::uint64_t count = records.size();
  std::vector<std::uint64_t> keys(count);
  for_blocks(backend.threads, count, std::uint64_t{1} << 16, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) keys[i] = coordinate_key(records[i].get());
  });
  const std::vector<std::uint32_t> order = sort::key_order(keys, backend);
  for (std::uint64_t begin = 0; begin < count; begin += records_at_a_time) {
    const std::uint64_t end = std::min(count, begin + records_at_a_time);
    std::vector<BamRecord> next;
    next.reserve(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) next.push_back(std::move(records[order[i]]));
    sink(std::move(next));
  }
}

}  // namespace warpseed::records
