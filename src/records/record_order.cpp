#include "records/record_order.hpp"

#include <utility>

#include "core/parallel.hpp"

namespace warpseed::records {

void release(std::vector<BamRecord>& records, int threads) {
  constexpr std::uint64_t records_a_task = 1 << 13;
  for_blocks(threads, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) BamRecord(std::move(records[i]));
  });
  records.clear();
}

}  // namespace warpseed::records
