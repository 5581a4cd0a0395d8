// The bases of common regions as FASTA.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "overlap/common_region.hpp"
#include "text/genome_core.hpp"

namespace warpseed::overlap {

/// Makes a record of each region, its letters being those of the target, which stand in the query on the strand that is
/// named second:
///
///   >chr1:1000-1052(+) contig7:40-92(-)
///   ACGT...                               60 letters a line
///
/// Places are 0-based, half-open and on the forward strand, written as `bedtools getfasta -s` writes them (samtools
/// counts from 1 there). Threads: append() may be called by many. Cost: 0.1
/// microseconds a region and 2.3 ns a base.
class RegionFasta {
 public:
  /// Target i is contig i of `text`. The lists and the text must outlive this. Throws std::invalid_argument if the text
  /// has fewer contigs than there are targets.
  RegionFasta(const text::GenomeView& text, const SequenceList& targets, const SequenceList& queries);

  void append(std::span<const CommonRegion> regions, std::string& out) const;

 private:
  char* put_bases(const CommonRegion& region, char* out) const;

  text::GenomeView text_;
  const SequenceList& targets_;
  const SequenceList& queries_;
};

}  // namespace warpseed::overlap
