// The inverse of a permutation, written at the speed of the memory.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/groups.cuh"

namespace warpseed::suffix::cuda {

/// Where each suffix stands in the order so far: ranks[suffixes[row]] is the row at which the group of `row` begins,
/// which is the row itself where nothing is tied. [suffixes.size()]
///
/// suffixes: a permutation of [0, size).
/// Memory: 20 bytes a suffix, `suffixes` and the result included.
Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups,
                              const Stream& stream);

/// The same where nothing is tied: ranks[suffixes[row]] = row.
Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const Stream& stream);

}  // namespace warpseed::suffix::cuda
