// The suffix array on the CPU, in parts, only one of which is in memory at a time.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"
#include "suffix/sorted_rows.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Sorts the suffixes in parts that begin with neighbouring first symbols, and passes the rows on.
///
/// The suffixes of a difference cover are sorted first. For each part, a scan of the text lists its suffixes in buckets,
/// which are sorted in a core's cache; suffixes with equal keys are compared by the ranks of their next positions in
/// the cover.
/// Source:  Burkhardt and Kaerkkaeinen, "Fast lightweight suffix array construction and checking", CPM 2003.
/// bytes:   of memory to use at most, at least least_bytes of parts_needs(). More than best_bytes is used only if
///          parts of the usual size do not hold all suffixes with the same first six bases.
/// Cost:    O(n log n) on `threads` threads; one more scan of the text per part.
/// Throws IoError if all the memory does not hold them.
template <class Pos>
void sort_in_parts(const text::GenomeView& genome, const SeparatorView& separators, int threads, std::uint64_t bytes,
                   const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix
