// The FASTA that CRAM's bases are told by. Private to the module.
#pragma once

#include <htslib/hts.h>

#include <string>

#include "records/sam_header.hpp"

namespace warpseed::records {

/// Has `file` look bases up in a FASTA that samtools faidx can index. Throws InputError if it is none, IoError if its
/// index (.fai) is missing and cannot be written.
void use_reference(htsFile* file, const std::string& path);

/// Throws InputError unless the FASTA holds the header's contigs with their lengths: htslib aborts, or alters the header,
/// when it is another one.
void check_reference(const SamHeader& header, const std::string& path);

}  // namespace warpseed::records
