// The parameters of alignment as host and device use them, with their ALT contigs.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/view.hpp"
#include "warpseed/align_options.hpp"

namespace warpseed::align {

/// The score of two aligned bases, as codes. An N on either side costs 1 and matches nothing.
WS_HD inline std::int32_t score_of(const Scoring& scoring, std::uint8_t a, std::uint8_t b) {
  if (a > 3 || b > 3) return -1;
  return a == b ? scoring.match : -scoring.mismatch;
}

/// The cost of the cheaper kind of gap of this length.
WS_HD inline std::int32_t gap_cost(const Scoring& scoring, std::int32_t length) {
  const std::int32_t deletion = scoring.deletion_open + length * scoring.deletion_extend;
  const std::int32_t insertion = scoring.insertion_open + length * scoring.insertion_extend;
  return deletion < insertion ? deletion : insertion;
}

/// The maximum number of gap bases in an alignment that scores `loss` less than all matches.
WS_HD inline std::int32_t max_gap_for_loss(const Scoring& scoring, std::int32_t loss) {
  const std::int32_t deletion = (loss - scoring.deletion_open) / scoring.deletion_extend;
  const std::int32_t insertion = (loss - scoring.insertion_open) / scoring.insertion_extend;
  const std::int32_t most = deletion > insertion ? deletion : insertion;
  return most > 0 ? most : 0;
}

/// Throws InputError for a number that no alignment can be computed with.
void require_valid(const AlignParameters& parameters);

/// marks: [contigs] 1: ALT; empty: no ALT contigs.
WS_HD inline bool is_alt_contig(const View<std::uint8_t>& marks, std::uint64_t contig) {
  return contig < marks.size && marks[contig] != 0;
}

struct AlignOptions : AlignParameters {
  View<std::uint8_t> alt_contigs;  // see is_alt_contig(); borrowed, see alt_contigs.hpp

  WS_HD bool is_alt(std::uint32_t contig) const { return is_alt_contig(alt_contigs, contig); }
};

constexpr float mask_level = 0.5F;  // two alignments compete if they share this fraction of the shorter one's bases

}  // namespace warpseed::align
