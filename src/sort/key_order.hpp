// The order of 64-bit keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"

namespace warpseed::sort {

/// Which key is the i-th: order[i] is its place in `keys`; equal keys in the order in which they stand. At most 2^32 - 1
/// keys, else std::invalid_argument. O(n log n) on the CPU, n on a device, which takes 24 bytes a key; the CPU sorts where a
/// device has not four times that to spare. Throws BackendError if the device fails.
std::vector<std::uint32_t> key_order(std::span<const std::uint64_t> keys, const Backend& backend);

}  // namespace warpseed::sort
