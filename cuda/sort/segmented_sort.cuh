// The segmented sort of data on the device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/segmented_sort_core.hpp"
#include "sort/segmented_sort_tuning.hpp"

namespace warpseed::sort::cuda {

/// Input and output of keys and values. The four must not overlap; values may be null if Value is NoValue.
template <class Value>
struct PairArrays {
  const std::uint32_t* keys = nullptr;
  const Value* values = nullptr;
  std::uint32_t* sorted_keys = nullptr;
  Value* sorted_values = nullptr;
};

/// Stable sort of each segment (src/sort/segmented_sort.hpp), out of place: measured faster than in place, as values
/// move only once, directly to their target.
///
/// offsets: [segments + 1] on the device, ascending, the last one at most `count`; keys outside all segments are
///          neither changed nor copied. Segments have at most 2^32 - 1 keys.
/// count:   keys in `pairs`.
/// Memory:  0.8 bytes per key for lists of segments; a copy of keys and values and 0.1 bytes per key if any segment is
///          longer than block_longest, or has its keys crowded in a small part of their range; a second copy if this
///          holds for parts of it again, as in segments of more than some 8 million keys.
/// Waits for the stream at least once, for the number of segments per class.
template <class Value>
void segmented_sort(const PairArrays<Value>& pairs, View<std::uint64_t> offsets, std::uint64_t count,
                    const Stream& stream, const SegmentedSortTuning& tuning = {});

extern template void segmented_sort(const PairArrays<NoValue>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);
extern template void segmented_sort(const PairArrays<std::uint32_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);
extern template void segmented_sort(const PairArrays<std::uint64_t>&, View<std::uint64_t>, std::uint64_t, const Stream&,
                                    const SegmentedSortTuning&);

}  // namespace warpseed::sort::cuda
