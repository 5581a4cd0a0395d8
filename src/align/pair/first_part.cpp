#include "align/pair/first_part.hpp"

#include "align/select/mapq_core.hpp"

namespace warpseed::align {

bool choose_first_part(const ReadAlignments& aligned, const AlignOptions& options, Choice& choice) {
  const std::span<const Alignment> alignments(aligned.alignments);
  const std::int32_t first = first_part(alignments, aligned.read.length(), options.min_score);
  if (first == no_alignment || first == choice.primary) return false;
  choice.primary = first;
  choice.mapq = single_mapq(alignments[static_cast<std::size_t>(first)], aligned.traits, options);
  return true;
}

void choose_first_parts(const ReadAlignments& first, const ReadAlignments& second, const InsertSizeView& expected,
                        const AlignOptions& options, Choice& first_choice, Choice& second_choice) {
  const bool first_changed = choose_first_part(first, options, first_choice);
  const bool second_changed = choose_first_part(second, options, second_choice);
  if (!first_changed && !second_changed) return;
  const bool both = first_choice.primary != no_alignment && second_choice.primary != no_alignment;
  const auto primary = [](const ReadAlignments& aligned, const Choice& choice) -> const Alignment& {
    return aligned.alignments[static_cast<std::size_t>(choice.primary)];
  };
  first_choice.proper = second_choice.proper =
      both && options.pairing &&
      is_proper(expected, mate_distance(primary(first, first_choice), first.read.length(),
                                        primary(second, second_choice), second.read.length()));
}

}  // namespace warpseed::align
