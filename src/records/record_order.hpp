// Records in coordinate order.
#pragma once

#include <htslib/sam.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::records {

/// Sort key of coordinate order: contig, position, strand; records without a contig last.
/// Records with equal keys keep their input order.
inline std::uint64_t coordinate_key(std::int32_t contig, std::int64_t position, std::uint16_t flag) {
  if (contig < 0) return ~std::uint64_t{0};
  const std::uint64_t one_based = static_cast<std::uint64_t>(position + 1);  // fits in 32 bits: AlignmentFile checks it
  return static_cast<std::uint64_t>(contig) << 33 | one_based << 1 | (flag & BAM_FREVERSE ? 1 : 0);
}
inline std::uint64_t coordinate_key(const bam1_t* record) {
  return coordinate_key(record->core.tid, record->core.pos, record->core.flag);
}

/// Of a key that is not that of records without a contig: which contig, and the position there plus 1.
constexpr std::uint64_t contig_of_key(std::uint64_t key) {
  return key >> 33;
}
constexpr std::int64_t position_of_key(std::uint64_t key) {
  return static_cast<std::int64_t>(key >> 1 & 0xFFFF'FFFF);
}

/// The smallest and the largest key of its contig within `distance` bases of a key.
constexpr std::uint64_t first_key_near(std::uint64_t key, std::int64_t distance) {
  const std::int64_t position = position_of_key(key);
  return contig_of_key(key) << 33 | static_cast<std::uint64_t>(position < distance ? 0 : position - distance) << 1;
}
constexpr std::uint64_t last_key_near(std::uint64_t key, std::int64_t distance) {
  constexpr std::int64_t most = 0xFFFF'FFFF;
  const std::int64_t position = position_of_key(key);
  const std::int64_t moved = position > most - distance ? most : position + distance;
  return contig_of_key(key) << 33 | static_cast<std::uint64_t>(moved) << 1 | 1;
}

/// Brings fields of records that follow the i-th into the cache, and calls prefetch_data(record) for one of them. In memory
/// sorted records are far apart.
template <class PrefetchData>
void prefetch_after(std::span<const bam1_t* const> records, std::size_t i, const PrefetchData& prefetch_data) {
  constexpr std::size_t fields_ahead = 16, data_ahead = 8;
  if (i + fields_ahead >= records.size()) return;
  const bam1_t* const fields = records[i + fields_ahead];
  prefetch(fields), prefetch(&fields->l_data);  // two lines
  prefetch_data(*records[i + data_ahead]);
}

/// Brings a record's data into the cache.
inline void prefetch_data(const bam1_t& record) {
  constexpr int line = 64;
  for (int at = 0; at < record.l_data; at += line) prefetch(record.data + at);
}

/// Memory of a record that waits to be sorted, with so many bytes of data: itself, its data, the allocator's headers, its
/// pointer and its sort key.
constexpr std::uint64_t waiting_bytes(std::uint64_t data_bytes) {
  return sizeof(bam1_t) + data_bytes + 2 * 16 + sizeof(BamRecord) + 16;
}

/// Of the memory for sorting, what sorted records may take; if there are more, they go to disk.
constexpr std::uint64_t held_bytes(std::uint64_t sort_memory_bytes) {
  return sort_memory_bytes / 2;
}

/// Frees records with many threads: each goes back to its own memory, which is not in this thread's caches.
void release(std::vector<BamRecord>& records, int threads);

}  // namespace warpseed::records
