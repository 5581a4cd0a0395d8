// The suffix array made in parts, of which only one is in memory at a time.
#pragma once

#include <cstdint>

#include "suffix/sort_rows.cuh"

namespace warpseed::suffix::cuda {

/// Sorts the suffixes in parts that begin with neighbouring first symbols.
///
/// The suffixes of a difference cover are sorted first. A part is listed by reading the text, sorted by the keys of
/// its suffixes, and those whose keys are equal by comparing their nearest neighbours in the cover.
/// Source:  Kaerkkaeinen, "Fast BWT in small space by blockwise suffix sorting", Theor. Comput. Sci. 2007.
/// segments: of a genome, 1 for bytes.
/// Cost:    the cover's sort; for every part one more scan of the text.
/// Throws BackendError if the memory does not suffice: for the cover, or for all suffixes that begin alike.
template <class Pos>
void sort_in_parts(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const Stream& stream,
                   const StageDone& done, const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix::cuda
