// The suffix array in parts, only one of which is in memory at a time.
#pragma once

#include <cstdint>

#include "suffix/sort_rows.cuh"

namespace warpseed::suffix::cuda {

/// Sorts the suffixes in parts that begin with neighbouring first symbols.
///
/// The suffixes of a difference cover are sorted first. For each part, a scan of the text lists its suffixes, which are
/// sorted by their keys; suffixes with equal keys are compared by the ranks of their next positions in the cover.
/// Source:  Kaerkkaeinen, "Fast BWT in small space by blockwise suffix sorting", Theor. Comput. Sci. 2007.
/// The members of a team sort the cover's suffixes together, and take parts in turn.
/// segments: of a genome; 1 for bytes.
/// Cost:    the cover's sort; one more scan of the text per part.
/// Throws BackendError if memory does not suffice for the cover or for all suffixes with the same first symbols, or if the
/// cover has more suffixes than 32 bits can number.
template <class Pos>
void sort_in_parts(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const TeamMember& member,
                   const StageDone& done, const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix::cuda
