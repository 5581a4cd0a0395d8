// Which reads are duplicates, and which one of them is kept: the rule of `samtools markdup`.
//
// A read takes part with its primary record if it is mapped and passed the filters (not 0x200). Its ends are those of
// the unclipped read. It belongs to a pair if its mate is mapped, else it is single.
// * Pairs are compared by strands, order on the genome and two positions: the 5' ends of mates on different strands,
//   the outer ends of mates on one strand. Of equal pairs the one with the larger sum of base qualities, of those from
//   15 on, is kept; of these the one whose name comes first, byte by byte.
// * A single read is compared by its 5' end and strand. It is a duplicate if a read of a pair has the same ones. Else
//   the read with the larger sum of qualities is kept; of these the one that begins further left; of these the first by
//   name.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <span>

#include "records/alignment_record.hpp"

namespace warpseed::records {

/// A read's outer positions on its contig, including clipped bases. 0-based; may lie off the contig.
struct ReadEnds {
  std::int64_t low, high;

  std::int64_t five_prime(bool reverse) const { return reverse ? high : low; }
};

/// Sums up a CIGAR from left to right.
class CigarSums {
 public:
  CigarSums() = default;
  explicit CigarSums(const bam1_t* record) {
    const std::uint32_t* cigar = bam_get_cigar(record);
    for (std::uint32_t i = 0; i < record->core.n_cigar; ++i) add(bam_cigar_opchr(cigar[i]), bam_cigar_oplen(cigar[i]));
  }

  void add(char op, std::int64_t length) {
    if (op == 'S' || op == 'H') {
      (aligned_ > 0 ? after_ : before_) += length;
    } else if (op != 'I' && op != 'P') {
      aligned_ += length;
    }
  }

  /// Bases of the reference.
  std::int64_t aligned() const { return aligned_; }
  ReadEnds ends_at(std::int64_t position) const { return {position - before_, position + aligned_ + after_ - 1}; }

 private:
  std::int64_t before_ = 0, aligned_ = 0, after_ = 0;
};

inline ReadEnds ends_of(const bam1_t* record) {
  return CigarSums(record).ends_at(record->core.pos);
}

/// The mate's ends, by the tag MC. Throws std::invalid_argument if there is none.
ReadEnds mate_ends_of(const bam1_t* record);

/// Whether the record with this flag takes part.
inline bool takes_part(std::uint16_t flag) {
  return (flag & (BAM_FUNMAP | BAM_FQCFAIL | BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) == 0;
}

/// Whether both the read and its mate are mapped.
inline bool is_of_pair(std::uint16_t flag) {
  return (flag & (BAM_FPAIRED | BAM_FUNMAP | BAM_FMUNMAP)) == BAM_FPAIRED;
}

/// Whether a read that takes part is of a pair with both mates on one strand.
inline bool is_on_strand_of_mate(std::uint16_t flag) {
  return is_of_pair(flag) && ((flag & BAM_FREVERSE) != 0) == ((flag & BAM_FMREVERSE) != 0);
}

/// The sum of a record's base qualities, of those from 15 on.
std::uint64_t quality_score(const bam1_t* record);

/// Stores in bam1_t::id of each participating record the sum of its base qualities, as quality_score() has it, plus the
/// mate's in a pair. A record's own sum may be there before, otherwise there is 0. `records` are those of whole reads in
/// input order, with mates adjacent. Returns the longest span of one of them.
std::int64_t store_scores(std::span<const BamRecord> records);

/// The first index from `i` on at which the records of a read, or of a pair, begin; their number if there is none. At 0
/// they do.
std::size_t begin_of_read(std::span<const BamRecord> records, std::size_t i);

/// Orders positions along the genome. Clipped bases may lie upstream of a contig's first base.
inline std::uint64_t position_key(std::int32_t contig, std::int64_t base) {
  return static_cast<std::uint64_t>(contig) << 33 | static_cast<std::uint64_t>(base + (std::int64_t{1} << 31));
}

/// The contig, position and strand of the 5' end of a read that takes part. Reads with equal claims have equal ones, unless
/// they are on the strand of their mate.
inline std::uint64_t five_prime_key(const bam1_t* record, const ReadEnds& ends) {
  const bool reverse = (record->core.flag & BAM_FREVERSE) != 0;
  return position_key(record->core.tid, ends.five_prime(reverse)) << 1 | (reverse ? 1 : 0);
}

/// What a record is compared by. Of records with equal claims all but the best are duplicates.
struct DuplicateKey {
  std::uint64_t here, there;  // contig and position of one end and of the mate's; a claim to one end has no other
  std::uint32_t kind;         // what is claimed: an end on a strand, or a pair's orientation
  std::uint32_t order;        // position in the sorted records
  bam1_t* record;

  bool same_as(const DuplicateKey& other) const;

  /// Whether the record is a duplicate if this claim is not the best of its equals.
  bool loses() const;
};

DuplicateKey pair_claim(bam1_t* record, std::uint32_t order);

/// The claim to one end: of single reads, and of reads of pairs against single ones.
DuplicateKey single_end_claim(bam1_t* record, std::uint32_t order);

/// A total order: equal claims are adjacent, the best first.
bool comes_before(const DuplicateKey& a, const DuplicateKey& b);

}  // namespace warpseed::records
