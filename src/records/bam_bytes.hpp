// Encodes BAM, uncompressed: SAM/BAM specification 1.6, section 4.2.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <string>

#include "records/alignment_writer.hpp"

namespace warpseed::records {

/// What precedes the records. text: the header's, from header_text().
std::string bam_header_bytes(const SamHeader& header, const std::string& text);

/// Bytes of a record, including its length field. O(1).
std::uint64_t bam_size(const bam1_t& record);

/// Writes a record's bam_size() bytes at `out` and returns their end. A CIGAR of more than 65,535 elements goes to the
/// tag CG, after the other tags. Positions must fit in 32 bits.
char* put_bam(const bam1_t& record, char* out);

}  // namespace warpseed::records
