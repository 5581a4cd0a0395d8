// Parses optional fields of SAM into a BAM record.
#pragma once

#include <string_view>

struct bam1_t;  // htslib

namespace warpseed::records {

/// Appends "XX:T:value" fields, separated by tabs, to a record. All types of the SAM specification: A i f Z H B. Omits
/// the tags that `align` writes itself (packed_tags.hpp), which describe an earlier alignment, and RG if the record has
/// one. Throws InputError, naming the read, for a malformed field or a tag that the record already has.
void append_tags(bam1_t* record, std::string_view fields);

}  // namespace warpseed::records
