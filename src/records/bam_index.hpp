// The BAI or CSI of a BAM file that is being written: SAM/BAM specification 1.6, section 5; CSIv1.
#pragma once

#include <htslib/hts.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/output_file.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::records {

/// Where a record lies in the genome. 0-based, [begin, end).
struct RecordPosition {
  std::int64_t begin, end;
  std::int32_t contig;
  bool mapped;
};

/// Stands beside its final name until commit().
class BamIndex {
 public:
  /// offset: virtual, of the first record.
  BamIndex(const SamHeader& header, const std::string& bam_path, std::uint64_t offset);

  /// Records in coordinate order. offset: virtual, behind the record; where a block ends, that of the next one.
  void add(const RecordPosition& place, std::uint64_t offset);

  /// Writes it. Throws IoError.
  void save(std::uint64_t offset);
  void commit();

 private:
  int format_;
  PendingFile pending_;
  std::unique_ptr<hts_idx_t, void (*)(hts_idx_t*)> index_;
};

}  // namespace warpseed::records
