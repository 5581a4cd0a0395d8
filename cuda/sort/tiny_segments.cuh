// The first step of the segmented sort: sorts tiny segments, lists all others by length.
#pragma once

#include "sort/segment_lists.cuh"

namespace warpseed::sort::cuda {

/// Sorts the segments of at most tuning.tiny_longest keys, adds the others to `lists`.
///
/// Each tile has the same number of keys and segments together. A block therefore accesses neighbouring memory, and
/// neither millions of empty segments nor one long segment overload it.
template <class Value>
void sort_tiny_segments(const PairArrays<Value>& pairs, View<std::uint64_t> offsets, std::uint64_t count,
                        const ListsView& lists, const Stream& stream);

extern template void sort_tiny_segments(const PairArrays<NoValue>&, View<std::uint64_t>, std::uint64_t,
                                        const ListsView&, const Stream&);
extern template void sort_tiny_segments(const PairArrays<std::uint32_t>&, View<std::uint64_t>, std::uint64_t,
                                        const ListsView&, const Stream&);
extern template void sort_tiny_segments(const PairArrays<std::uint64_t>&, View<std::uint64_t>, std::uint64_t,
                                        const ListsView&, const Stream&);

}  // namespace warpseed::sort::cuda
