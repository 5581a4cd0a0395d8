// Records in coordinate order.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/backend.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::records {

/// Takes records over, in order, many at a time.
using RecordSink = std::function<void(std::vector<BamRecord>)>;

/// Where a record goes in coordinate order: contig, position, strand; records without a contig last.
/// Records of equal place keep their input order.
inline std::uint64_t place_of(const bam1_t* record) {
  const bam1_core_t& core = record->core;
  if (core.tid < 0) return ~std::uint64_t{0};
  const std::uint64_t position = static_cast<std::uint64_t>(core.pos + 1);  // 32 bits: AlignmentFile sees to it
  return static_cast<std::uint64_t>(core.tid) << 33 | position << 1 | (core.flag & BAM_FREVERSE ? 1 : 0);
}

/// Frees records by many threads: each goes to where it came from, which is far from this one's caches.
void release(std::vector<BamRecord>& records, int threads);

/// Hands the records over in coordinate order, by the keys' order that `backend` finds. Throws BackendError.
void emit_sorted(std::vector<BamRecord> records, const Backend& backend, const RecordSink& sink);

}  // namespace warpseed::records
