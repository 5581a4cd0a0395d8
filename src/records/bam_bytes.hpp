// BAM as bytes, before they are compressed: SAM/BAM specification 1.6, section 4.2.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <string>

#include "records/alignment_writer.hpp"

namespace warpseed::records {

/// What stands before the records. text: the header's, as header_text() makes it.
std::string bam_header_bytes(const SamHeader& header, const std::string& text);

/// Bytes of a record, its length in front included. O(1).
std::uint64_t bam_size(const bam1_t& record);

/// Puts a record's bam_size() bytes at `out` and gives back where they end. More than 65,535 elements of a CIGAR go to
/// the tag CG, behind the others. Positions must fit in 32 bits.
char* put_bam(const bam1_t& record, char* out);

}  // namespace warpseed::records
