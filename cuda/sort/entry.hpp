// The part of the CUDA path that src/sort may call: segmented sort, order of keys and string sort on a device.
// Builds with CUDA define it in cuda/sort/*.cu, builds without in cuda/sort/no_cuda.cpp. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "sort/segmented_sort_core.hpp"
#include "sort/string_sort.hpp"
#include "warpseed/device_arrays.hpp"

namespace warpseed::sort::cuda {

/// Implement sort/segmented_sort.hpp; Value: NoValue for keys alone.
template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend);

template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Backend& backend);

/// Implements sort/key_order.hpp; empty if the device has too little free memory.
std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t> keys, const Backend& backend);

/// Implements sort/string_sort.hpp.
template <class Text>
StringOrder sort_strings(const Strings<Text>& strings, const Backend& backend);

}  // namespace warpseed::sort::cuda
