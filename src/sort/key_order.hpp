// The sorted order of 64-bit keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"

namespace warpseed::sort {

/// Returns the stable sorted order: keys[order[i]] is the i-th smallest key. At most 2^32 - 1 keys, else
/// std::invalid_argument. O(n log n) on the CPU, O(n) on a device with 24 bytes per key; the CPU sorts if the device
/// has less than four times that free. Throws BackendError if the device fails.
std::vector<std::uint32_t> key_order(std::span<const std::uint64_t> keys, const Backend& backend);

}  // namespace warpseed::sort
