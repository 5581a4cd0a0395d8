// The inverse of a permutation at memory bandwidth.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/groups.cuh"

namespace warpseed::suffix::cuda {

/// The inverse of the order so far: ranks[suffixes[row]] is the row at which the group of `row` begins, which is the
/// row itself if it is not tied. [suffixes.size()]
///
/// suffixes: a permutation of [0, size).
/// Memory: 20 bytes per suffix, including `suffixes` and the result.
Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups,
                              const Stream& stream);

/// The same without ties: ranks[suffixes[row]] = row.
Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const Stream& stream);

}  // namespace warpseed::suffix::cuda
