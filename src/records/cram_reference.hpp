// The FASTA that CRAM is compressed against. Private to the module.
#pragma once

#include <htslib/hts.h>

#include <string>

#include "records/sam_header.hpp"

namespace warpseed::records {

/// Makes `file` use a FASTA that samtools faidx can index. Throws InputError if the file is not FASTA, IoError if its
/// index (.fai) is missing and cannot be written.
void use_reference(htsFile* file, const std::string& path);

/// Throws InputError unless the FASTA holds the header's contigs with the same lengths: with another FASTA htslib
/// aborts or alters the header.
void check_reference(const SamHeader& header, const std::string& path);

}  // namespace warpseed::records
