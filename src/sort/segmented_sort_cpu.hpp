// The CPU path of the segmented sort.
#pragma once

#include <cstdint>
#include <span>

#include "sort/segmented_sort_core.hpp"

namespace warpseed::sort {

/// Implements sort/segmented_sort.hpp, which checks the arguments; values are empty if Value is NoValue.
template <class Value>
void sort_segments_on_cpu(std::span<std::uint32_t> keys, std::span<Value> values,
                          std::span<const std::uint64_t> offsets, int threads);

}  // namespace warpseed::sort
