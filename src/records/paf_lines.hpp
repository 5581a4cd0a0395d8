// Lines of PAF, minimap2's pairwise mapping format, from records.
#pragma once

#include <htslib/sam.h>

#include <span>
#include <string>

namespace warpseed::records {

/// Appends a line for each mapped record; others have none. After the twelve fields: tp (P or S), NM, AS, cg, and cs
/// and ds if the records have them. The header has the contigs' lengths. Li, "Minimap2", Bioinformatics 2018; its
/// manual page describes the format.
void append_paf_lines(std::span<const bam1_t* const> records, const sam_hdr_t* header, std::string& to);

}  // namespace warpseed::records
