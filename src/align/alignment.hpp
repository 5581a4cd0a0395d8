// One alignment of a read: extension finds it, ranking and pairing compare it, records report it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/types.hpp"

namespace warpseed::align {

constexpr std::int32_t no_alignment = -1;

/// What an extension finds: a local alignment of a read without its CIGAR. Query positions are on the read in
/// forward-strand orientation.
struct LocalAlignment {
  GenomePos genome_begin = 0, genome_end = 0;
  std::uint32_t query_begin = 0, query_end = 0;
  std::int32_t score = 0;         // best local score from the seed outwards; alignments are ranked by it
  std::int32_t path_score = 0;    // score of the whole alignment, including the cost of reaching the read's ends
  std::int32_t clip_penalty = 0;  // cost of the read's ends, aligned at a loss or clipped; decides ties
  std::uint32_t contig = 0;
  std::uint64_t tie = 0;  // last tie break: pseudo-random, the same in every run
  bool reverse = false;
  bool alt = false;             // on an ALT contig
  std::uint8_t unused[6] = {};  // the padding, so that nothing is copied that was never written
};

/// What ranking and pairing add: how an alignment compares with the others of its read, given by their indices.
struct Competitors {
  std::int32_t second_score = 0;   // the best score of another alignment of the same read bases; 0 for none
  std::uint32_t second_count = 0;  // other alignments nearly as good as this one
  std::int32_t secondary_to =
      no_alignment;  // the better alignment of the same read bases; for one off ALT, the better one off ALT
  std::int32_t alternative_of = no_alignment;  // the better alignment of the same read bases on any contig
  std::int32_t alt_score = 0;   // the score of alternative_of, if that is on an ALT contig and this is not; else 0
  std::uint32_t pair_rank = 0;  // number of the pair's alignments ranked before it; set if a tie break decides
};

/// An alignment among those of its read.
struct Alignment : LocalAlignment, Competitors {
  Alignment() = default;

  /// Without competitors yet.
  WS_HD explicit Alignment(const LocalAlignment& found) : LocalAlignment(found) {}
};
static_assert(std::has_unique_object_representations_v<LocalAlignment>, "no padding");
static_assert(sizeof(Alignment) == sizeof(LocalAlignment) + sizeof(Competitors), "no padding");

/// What all alignments of one read share.
struct ReadTraits {
  std::uint32_t length = 0;
  std::uint32_t repetitive = 0;  // bases under seeds too frequent to use all occurrences
};

}  // namespace warpseed::align
