// One way to place a read: what extension finds, ranking compares and the records report.
#pragma once

#include <cstdint>

#include "core/types.hpp"

namespace warpseed::align {

constexpr std::int32_t no_alignment = -1;

/// A local alignment of a read without its path. Query positions are those of the read turned to the forward strand.
struct Alignment {
  GenomePos genome_begin = 0, genome_end = 0;
  std::uint32_t query_begin = 0, query_end = 0;
  std::int32_t score = 0;          // the best local score from the seed outwards; what alignments are ranked by
  std::int32_t path_score = 0;     // the score of the alignment as it stands, its ends reached at a loss included
  std::int32_t clip_penalty = 0;   // what the read's ends cost: reached at a loss, or left out. Decides ties
  std::int32_t second_score = 0;   // the best score of another alignment of the same read bases; 0 for none
  std::uint32_t second_count = 0;  // other alignments nearly as good as this one
  std::int32_t secondary_to =
      no_alignment;  // the better alignment of the same read bases; off ALT, the better one off ALT
  std::int32_t alternative_of = no_alignment;  // the better alignment of the same read bases on any contig
  std::int32_t alt_score = 0;  // its score, where it is on an ALT contig and this one is not; 0 elsewhere
  std::uint32_t contig = 0;
  std::uint32_t pair_rank = 0;  // how many of its pair's alignments stand before it; told where lots decide about pairs
  std::uint64_t tie = 0;        // decides what is left: pseudo-random, the same in every run
  bool reverse = false;
  bool alt = false;  // on an ALT contig
};

/// What all alignments of one read have in common.
struct ReadTraits {
  std::uint32_t length = 0;
  std::uint32_t repetitive = 0;  // bases under seeds too frequent to follow all
};

}  // namespace warpseed::align
