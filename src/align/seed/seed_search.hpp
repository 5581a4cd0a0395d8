// The state of a seed search: what it looks for, and how far it has come. Its steps are in seed_core.hpp.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/packed_strand.hpp"
#include "core/bits.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// An exact match of read bases [begin, end) with all its occurrences.
struct Seed {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  RowRange rows;                         // one row per occurrence; those that start with the match, unless located
  TextPos position = text::no_text_pos;  // of the only occurrence, if already located

  WS_HD std::uint32_t length() const { return end - begin; }
};

/// The index and the genome to search.
struct SeedText {
  const index::FmView& fm;
  const text::GenomeView& genome;
};

/// The seeding parameters as integers.
struct SeedRules {
  std::uint32_t min_length = 0;
  std::uint32_t reseed_length = 0;
  std::uint64_t reseed_rows = 0;
  std::uint64_t rare_rows = 0;
  std::uint64_t few_rows = 20;      // a match cut by a restart gets its right end back if it has more occurrences
  std::uint32_t chance_length = 0;  // a random string of this length almost never occurs; longer than a k-mer
  std::uint32_t rival_edits = 0;    // see settled_length(); 0: no read is settled
  std::uint64_t used_rows = 0;      // of a match with more occurrences, only a sample is used
  View<std::uint8_t> alt_contigs;   // see is_alt_contig(); an alignment there settles nothing
};

/// How far before the end of a match of at least `min_length` bases a probe begins; 0: no probes.
WS_HD inline std::uint32_t probe_distance(const SeedRules& rules, std::uint32_t kmer_length, std::uint32_t min_length) {
  if (min_length > rules.chance_length) return min_length - rules.chance_length;
  return min_length > kmer_length + 1 ? 1 : 0;  // most probes break nevertheless: in 3 Gbp 24 random strings of 25
}

WS_HD inline SeedRules seed_rules(const index::FmView& fm, const AlignOptions& options) {
  SeedRules rules;
  rules.min_length = options.min_seed;
  rules.reseed_length = static_cast<std::uint32_t>(static_cast<float>(options.min_seed) * options.reseed_factor + 0.5F);
  rules.reseed_rows = options.reseed_rows;
  rules.rare_rows = options.rare_rows;
  rules.chance_length = 3;  // more than log4(rows)
  for (Row rows = fm.row_count(); rows > 0; rows /= 4) ++rules.chance_length;
  if (rules.chance_length < fm.kmer_length + 1) rules.chance_length = fm.kmer_length + 1;
  if (!options.report_all) rules.rival_edits = options.rival_edits;
  rules.used_rows = options.max_occurrences;
  rules.alt_contigs = options.alt_contigs;
  return rules;
}

/// Searches for matches in bases [floor, end), from right to left, with at least `min_rows` rows.
struct SeedPass {
  std::uint32_t floor = 0, end = 0;
  std::uint64_t min_rows = 1;
  std::uint32_t cut = 0;  // the end of the match that a restart at `end` cuts; 0: no match ends past `end`
};

/// The bisection for the largest end with which bases [floor of the pass, end) still occur: they occur with the end of
/// `longest`, initially `first`, and do not with `beyond`.
struct RightEnd {
  SeedPass interrupted;
  Seed first, longest;
  std::uint32_t beyond = 0;
};

/// Search state that is needed only when an attempt is over. It is separate so that a device thread can keep the rest
/// of the search in registers.
struct SetAside {
  SeedPass interrupted;           // restored after the round within a seed
  RightEnd right;                 // within a pass
  std::uint32_t min_length = 0;   // of a seed: SeedRules.min_length, or more in a settled read
  std::uint32_t probe = 0;        // probe_distance() of min_length
  std::uint32_t stride = 1;       // from an attempt that found nothing to the next; more than 1: the read is settled
  std::uint32_t scout = 0;        // the number of the current scout
  std::uint64_t common_rows = 1;  // matches with more make the round of rare ones necessary
  Seed scouted;                   // the match of the scout that has settled the read, if it is at the end of a strand
  // Of the round of windows:
  std::uint64_t continued = 0;     // occurrences of the last window that go on to the next one
  std::uint32_t frequent_end = 0;  // of the last seed that is not rare
  bool emitted = false;            // the current window has its seed, or needs none
  bool counted = false;            // those that go on from it are counted
  bool scouted_reverse = false;    // the strand of `scouted`
};

/// The next action of a search.
enum class SeedStep : std::uint8_t { table, extend, walk, follow, done };

/// Rounds of a search. scout: for an alignment with few differences, on both strands; the others on one strand after the
/// other. whole: the longest matches in the whole read. within: inside a long match with few occurrences, coarsely,
/// parts that occur more often, so that a near-copy of the best locus is found as well. windows: the same in a settled
/// read, window by window, see seed_windows.hpp. rare: if anything occurs more than once, adjacent matches, each only as
/// long as it takes to be rare. So all near members of a repeat family are found, not only those that share the most.
enum class SeedRound : std::uint8_t { scout, whole, within, windows, rare };

/// The search for all seeds of a read, one strand after the other.
struct SeedSearch {
  PackedStrand read;        // the current strand
  SeedPass pass;            // the current pass
  Seed match;               // the match of the current attempt
  index::Walk walk;         // in progress to a unique match's position
  std::uint64_t kmer = 0;   // index into the k-mer table
  std::uint32_t probe = 0;  // this attempt began this many bases before the pass's end
  SeedRound round = SeedRound::scout;
  SetAside* aside = nullptr;
  bool reverse = false;    // the current strand is the reverse complement
  bool narrowing = false;  // bisecting for a right end
  bool beyond = false;     // the match of a window is longer than the window
  bool all_known = false;  // no N in the read
  bool repeated = false;   // something on this strand occurs more than SetAside.common_rows times
  bool broken = false;     // the match cannot be extended
  SeedStep step = SeedStep::done;

  /// Is base i an N?
  WS_HD bool unknown(std::uint32_t i) const { return !all_known && read.unknown[i] != 0; }
};

}  // namespace warpseed::align
