// A genome with some of its bases made N.
#pragma once

#include <span>
#include <vector>

#include "text/genome.hpp"
#include "text/interval.hpp"

namespace warpseed::text {

/// The genome whose bases in these intervals are N, so that no match covers one of them; without names. Coordinates of contigs and
/// of the genome stay; segments are cut at the intervals, and the text is shorter by what was masked.
///
/// per_contig: [contigs] each in order, without common bases, within its contig (as feature_intervals() gives them);
/// else throws std::invalid_argument. Cost: one pass by words, at GB/s; a second text in memory.
Genome masked(const GenomeView& genome, std::span<const std::vector<Interval>> per_contig);

}  // namespace warpseed::text
