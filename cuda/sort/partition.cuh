// Partitioning of long segments by the upper digit of their keys: one stable counting-sort pass.
#pragma once

#include "sort/segment_lists.cuh"

namespace warpseed::sort::cuda {

/// Moves the pairs of every listed segment from pairs.keys and .values to the same segment of `parts_keys` and
/// `parts_values`, smaller digits first; adds the parts to `lists`. A segment whose keys have no bits below the digit
/// is sorted after this pass: its pairs go to pairs.sorted_keys and .sorted_values.
///
/// segments: [count] on the device. fine: digits of up to 8 bits for shorter parts; else parts of about
/// tuning.part_length if keys are spread evenly. Each pass removes at least one bit from the range of a segment's keys.
template <class Value>
void partition_segments(const PairArrays<Value>& pairs, std::uint32_t* parts_keys, Value* parts_values,
                        const LongSegment* segments, std::uint32_t count, bool fine, const ListsView& lists,
                        const Stream& stream);

extern template void partition_segments(const PairArrays<NoValue>&, std::uint32_t*, NoValue*, const LongSegment*,
                                        std::uint32_t, bool, const ListsView&, const Stream&);
extern template void partition_segments(const PairArrays<std::uint32_t>&, std::uint32_t*, std::uint32_t*,
                                        const LongSegment*, std::uint32_t, bool, const ListsView&, const Stream&);
extern template void partition_segments(const PairArrays<std::uint64_t>&, std::uint32_t*, std::uint64_t*,
                                        const LongSegment*, std::uint32_t, bool, const ListsView&, const Stream&);

}  // namespace warpseed::sort::cuda
