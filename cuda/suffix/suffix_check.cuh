// Checks whether an array on the device is the suffix array of a text.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// The first row that violates suffix/suffix_check_core.hpp; text.size() if there is none. Linear time, 4 bytes of
/// memory per symbol. Waits for the result.
std::uint64_t first_wrong_row(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream);

/// The same of an array whose rows are on the members of a team, in their order. The first member finds it, in 4 more
/// bytes per symbol; the others get text.size(). Every member must call it.
std::uint64_t first_wrong_row(const DeviceText& text, const Buffer<std::uint32_t>& mine, const TeamMember& member);

}  // namespace warpseed::suffix::cuda
