// What merging, marking and writing need of a record, found in one pass over its memory. Private to the module.
#pragma once

#include <htslib/sam.h>

#include <cstdint>

namespace warpseed::records {

/// Half a cache line: sorted records are far apart in memory, their facts are not.
struct RecordFacts {
  std::uint64_t five_prime;    // five_prime_key() of a record that takes part in marking
  std::int64_t end;            // of the interval on the reference that an index has, and
  std::int32_t contig, begin;  // its begin
  std::uint32_t bytes;         // bam_size()
  std::uint16_t flag;          // before marking
};

/// O(elements of the CIGAR). The positions must fit in 32 bits.
RecordFacts facts_of(const bam1_t& record);

}  // namespace warpseed::records
