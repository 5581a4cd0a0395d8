// Several genomes laid end to end as one text, with the reverse complements of some of their contigs.
#pragma once

#include <span>

#include "text/genome.hpp"

namespace warpseed::text {

/// One genome's contigs in the order given, or their reverse complements: contig i stays contig i.
struct GenomePart {
  GenomeView genome;
  bool reversed = false;
};

/// The text of all parts, one after another; the contigs have no names. Contig c of part p is contig
/// (contigs of the parts before p) + c; offset o of a contig of length n that is reversed is base n - 1 - o of the
/// original, complemented.
///
/// Cost: one pass, by words of 32 bases, on `threads` threads.
Genome joined(std::span<const GenomePart> parts, int threads);

}  // namespace warpseed::text
