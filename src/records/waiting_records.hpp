// Records on their way to be sorted. Private to the module.
#pragma once

#include <cstdint>
#include <vector>

#include "records/alignment_record.hpp"

namespace warpseed::records {

/// Records in input order, and what has to be known of them before they are sorted.
struct WaitingRecords {
  std::vector<BamRecord> records;
  std::vector<std::uint64_t> keys;  // [records] coordinate_key()
  std::uint64_t packed_bytes = 0;   // of all
  std::uint64_t memory_bytes = 0;   // waiting_bytes() of all
  std::int64_t longest_span = 0;    // as store_scores() returns it; 0 if there are no scores
};

/// Reads each record once: they come fresh from a cache, and wait until they have left it. `records` are those of whole
/// reads, with mates adjacent. with_scores: has store_scores() store those.
WaitingRecords waiting_records(std::vector<BamRecord> records, bool with_scores, int threads);

}  // namespace warpseed::records
