// Of a split read's parts, the one that begins first in the read as sequenced: the ligation's near side in Hi-C reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/pair/pair_core.hpp"
#include "align/pipeline/read_alignments.hpp"

namespace warpseed::align {

/// The part that begins first, of alignments that are not secondary, not on ALT contigs and score at least `min_score`;
/// of equals the first. no_alignment where there are fewer than two parts.
/// alignments: of Alignment or LongAlignment; read_length: in bases.
template <class AnyAlignment>
std::int32_t first_part(std::span<const AnyAlignment> alignments, std::uint32_t read_length, std::int32_t min_score) {
  std::int32_t first = no_alignment;
  std::uint32_t first_begin = 0, parts = 0;
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    const AnyAlignment& part = alignments[i];
    if (part.secondary_to != no_alignment || part.alt || part.score < min_score) continue;
    const std::uint32_t begin = part.reverse ? read_length - part.query_end : part.query_begin;
    if (parts++ == 0 || begin < first_begin) first = static_cast<std::int32_t>(i), first_begin = begin;
  }
  return parts < 2 ? no_alignment : first;
}

/// Makes the first part of a short read its primary alignment, with the mapping quality of a single read. Returns
/// whether that changed the choice.
bool choose_first_part(const ReadAlignments& aligned, const AlignOptions& options, Choice& choice);

/// The same for both mates. Where it changes one, the pair is proper if the new primary alignments are at an expected
/// distance.
void choose_first_parts(const ReadAlignments& first, const ReadAlignments& second, const InsertSizeView& expected,
                        const AlignOptions& options, Choice& first_choice, Choice& second_choice);

}  // namespace warpseed::align
