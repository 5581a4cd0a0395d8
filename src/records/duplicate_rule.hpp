// Which reads are duplicates of one another, and which of them stays: the rule of `samtools markdup`.
//
// A read takes part if it is mapped and passed the filters (not 0x200), with its primary record. Its ends are those it
// would have had without clipping. It is one of a pair if its mate is mapped, else it is single.
// * Both mates of a pair are compared by strands, order on the genome and two bases: the 5' ends of mates on different
//   strands, the outer ends of mates on one strand. Of equals the pair stays whose qualities, from 15 on, add up to
//   more; of these the one whose name comes first, byte by byte.
// * A single read is compared by its 5' end and strand, and goes where a read of a pair has these too. Else the one
//   stays whose qualities add up to more; of these that which begins further left; of these the first by name.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <vector>

#include "records/alignment_record.hpp"

namespace warpseed::records {

/// Where a read lies on its contig, clipped letters included: its outer bases. 0-based; may lie off the contig.
struct ReadEnds {
  std::int64_t low, high;
};

ReadEnds ends_of(const bam1_t* record);

/// Of the mate, by the tag MC. Throws std::invalid_argument if there is none.
ReadEnds mate_ends_of(const bam1_t* record);

bool takes_part(const bam1_t* record);

/// Whether both the read and its mate are mapped.
bool is_of_pair(const bam1_t* record);

/// Keeps in bam1_t::id of each record that takes part what its qualities, and those of its mate if it is one of a pair,
/// add up to. `records` are those of whole reads in input order, mates side by side. Gives back the most bases that one
/// of them spans from end to end.
std::int64_t note_scores(const std::vector<BamRecord>& records);

/// What a record claims to be the only one with. Records with equal claims are duplicates but for the best.
struct DuplicateClaim {
  std::uint64_t here, there;  // contig and base of one end and of the mate's; the claim to a place has no other end
  std::uint32_t kind;         // what is claimed: a place on a strand, or an arrangement of two
  std::uint32_t order;        // of the records on the genome
  bam1_t* record;

  bool same_as(const DuplicateClaim& other) const;

  /// Whether the record is a duplicate if this is not the best of the equal claims.
  bool loses() const;
};

DuplicateClaim pair_claim(bam1_t* record, std::uint32_t order);

/// The claim to a place: of single reads, and of reads of pairs against single ones.
DuplicateClaim place_claim(bam1_t* record, std::uint32_t order);

/// A total order: equal claims side by side, the best of them first.
bool comes_before(const DuplicateClaim& a, const DuplicateClaim& b);

}  // namespace warpseed::records
