// Optional fields of a BAM record, out of their text form.
#pragma once

#include <string_view>

struct bam1_t;  // htslib

namespace warpseed::records {

/// Appends "XX:T:value" fields, separated by tabs, to a record. All types of the SAM specification: A i f Z H
/// B. Left out are the tags that `align` writes itself (packed_tags.hpp), which say how a read was aligned before, and an
/// RG where the record has one. Throws InputError, naming the read, for a field that is none, or another tag that the
/// record already has.
void append_tags(bam1_t* record, std::string_view fields);

}  // namespace warpseed::records
