// What src/sort may call in the CUDA path: segmented sort, order of keys and string sort on a device.
// Built with CUDA, cuda/sort/*.cu define it; built without, cuda/sort/no_cuda.cpp does. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "sort/segmented_sort_core.hpp"
#include "sort/string_sort.hpp"

namespace warpseed::sort::cuda {

/// sort/segmented_sort.hpp; Value: NoValue for keys alone.
template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend);

/// sort/key_order.hpp; nothing if the device has too little memory to spare.
std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t> keys, const Backend& backend);

/// sort/string_sort.hpp
template <class Text>
StringOrder sort_strings(const Strings<Text>& strings, const Backend& backend);

}  // namespace warpseed::sort::cuda
