// Counts of the records of a sorted BAM file of simulated pairs, whose names hold their origin.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <string>
#include <vector>

/// Sums over primary records, unless said otherwise.
struct AlignmentCounts {
  std::uint64_t primary = 0, secondary = 0, supplementary = 0;
  std::uint64_t mapped = 0, first = 0, second = 0;
  std::uint64_t proper = 0, proper_first = 0;
  std::uint64_t alone = 0, with_mapped_mate = 0;  // mapped with an unmapped mate, and the other way round
  std::uint64_t bad_flags = 0;                    // not one of two mates, or unmapped and proper
  std::uint64_t out_of_order = 0;                 // all records that begin before the previous one
  std::uint64_t read_hashes = 0;                  // sum of read_hash(), modulo 2^64: each read once, or another sum

  std::uint64_t right = 0;                        // mapped to where the name says
  std::uint64_t sure = 0, sure_wrong = 0;         // of MAPQ 60 and more
  std::uint64_t marked = 0;                       // 0x400
  std::uint64_t copies = 0, copies_marked = 0;    // planted duplicates
  std::uint64_t marked_of_pairs = 0;              // both mates mapped
  std::uint64_t groups = 0, unmarked_groups = 0;  // records that are equal by the rule of duplicates; with more
  std::uint64_t lost_groups = 0;                  // than one not marked; with all of them marked
  std::vector<std::uint64_t> fragment_lengths;    // first mates that are no copies, by length

  void add(const AlignmentCounts& other);
};

/// A number of read `mate` (0 or 1) of pair `pair`.
std::uint64_t read_hash(std::uint64_t pair, unsigned mate);

/// Counts the records of a contig, or those without a position for HTS_IDX_NOCOOR. The records are what the index finds.
/// Throws IoError or InputError.
AlignmentCounts count_alignments(const std::string& path, const hts_idx_t* index, int contig);
