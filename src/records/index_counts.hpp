// The counts of records in a BAI or CSI index: SAM/BAM specification 1.6, section 5.2; CSIv1. Private to the module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpseed::records {

struct IndexCounts {
  struct OfContig {
    std::uint64_t mapped = 0, unmapped = 0;
  };

  std::vector<OfContig> contigs;
  std::uint64_t without_contig = 0;
};

/// Replaces the counts in an index file that htslib has written. counts: of all its contigs. False: it cannot be read or
/// written, errno says why.
bool set_index_counts(const std::string& path, const IndexCounts& counts);

}  // namespace warpseed::records
