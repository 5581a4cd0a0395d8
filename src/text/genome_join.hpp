// Concatenates genomes to one text, with the reverse complements of some of their contigs.
#pragma once

#include <span>

#include "text/genome.hpp"

namespace warpseed::text {

/// The contigs of one genome in order, or their reverse complements: contig i stays contig i.
struct GenomePart {
  GenomeView genome;
  bool reversed = false;
};

/// The concatenated text of all parts; contigs have no names. Contig c of part p becomes contig (contigs of the parts
/// before p) + c. Offset o of a reversed contig of length n is base n - 1 - o of the original, complemented.
///
/// Cost: one pass, in words of 32 bases, on `threads` threads.
Genome joined(std::span<const GenomePart> parts, int threads);

}  // namespace warpseed::text
