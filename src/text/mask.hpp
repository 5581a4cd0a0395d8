// Replaces some bases of a genome by N.
#pragma once

#include <span>
#include <vector>

#include "text/genome.hpp"
#include "text/interval.hpp"

namespace warpseed::text {

/// The genome with N in place of the bases in these intervals, so that no match covers one of them; without names.
/// Coordinates of contigs and of the genome stay the same. Segments are cut at the intervals, and the text shrinks by
/// the masked bases.
///
/// per_contig: [contigs] sorted disjoint intervals within each contig (as from feature_intervals()), else throws
/// std::invalid_argument. Cost: one pass by words, at GB/s; a second text in memory.
Genome masked(const GenomeView& genome, std::span<const std::vector<Interval>> per_contig);

}  // namespace warpseed::text
