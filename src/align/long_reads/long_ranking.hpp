// The order of a long read's alignments, which of them compete, and their mapping qualities.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/long_reads/long_alignment.hpp"

namespace warpseed::align {

/// Sorts by score, drops duplicates and those after most_parts() parts, marks competitors (secondary_to) and sets mapping
/// qualities. Among equal ones the read's number decides. unseen: more copies that may compete, of which none was looked at.
void rank_long_alignments(std::vector<LongAlignment>& alignments, std::uint32_t read_length, std::uint64_t read_number,
                          std::uint32_t unseen, const AlignOptions& options);

}  // namespace warpseed::align
