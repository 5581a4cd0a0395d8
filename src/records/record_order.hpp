// Records in coordinate order.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/backend.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::records {

/// Takes ownership of records, in order, in large batches.
using RecordSink = std::function<void(std::vector<BamRecord>)>;

/// Sort key of coordinate order: contig, position, strand; records without a contig last.
/// Records with equal keys keep their input order.
inline std::uint64_t coordinate_key(const bam1_t* record) {
  const bam1_core_t& core = record->core;
  if (core.tid < 0) return ~std::uint64_t{0};
  const std::uint64_t position = static_cast<std::uint64_t>(core.pos + 1);  // fits in 32 bits: AlignmentFile checks it
  return static_cast<std::uint64_t>(core.tid) << 33 | position << 1 | (core.flag & BAM_FREVERSE ? 1 : 0);
}

/// Memory of a record that waits to be sorted, with so many bytes of data: itself, its data, the allocator's headers, its
/// pointer and its sort key.
constexpr std::uint64_t waiting_bytes(std::uint64_t data_bytes) {
  return sizeof(bam1_t) + data_bytes + 2 * 16 + sizeof(BamRecord) + 16;
}

/// Frees records with many threads: each goes back to its own memory, which is not in this thread's caches.
void release(std::vector<BamRecord>& records, int threads);

/// Passes the records on in coordinate order; `backend` sorts the keys. Throws BackendError.
void emit_sorted(std::vector<BamRecord> records, const Backend& backend, const RecordSink& sink);

}  // namespace warpseed::records
