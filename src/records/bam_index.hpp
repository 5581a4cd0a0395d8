// The BAI or CSI index of a BAM file being written: SAM/BAM specification 1.6, section 5; CSIv1.
#pragma once

#include <htslib/hts.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/output_file.hpp"
#include "records/alignment_writer.hpp"
#include "records/index_counts.hpp"

namespace warpseed::records {

/// A record's interval on the reference. 0-based, [begin, end).
struct RecordPosition {
  std::int64_t begin, end;
  std::int32_t contig;
  bool mapped;
};

/// Whether the index has the same bin and the same windows for both.
bool are_indexed_alike(const RecordPosition& one, const RecordPosition& other);

/// Has a temporary name next to its final one until commit().
class BamIndex {
 public:
  /// offset: virtual offset of the first record.
  BamIndex(const SamHeader& header, const std::string& bam_path, std::uint64_t offset);

  /// Adds `count` records in coordinate order, which are indexed alike, by the position of the last one. offset: virtual,
  /// past it; at a block's end, of the next block.
  void add(const RecordPosition& last, std::uint64_t count, std::uint64_t offset);

  /// Writes it. Throws IoError.
  void save(std::uint64_t offset);
  void commit();

 private:
  int format_;
  PendingFile pending_;
  std::unique_ptr<hts_idx_t, void (*)(hts_idx_t*)> index_;
  IndexCounts counts_;
};

}  // namespace warpseed::records
