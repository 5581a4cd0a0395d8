// The inverse of a permutation at memory bandwidth.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"
#include "sort/groups.cuh"
#include "suffix/ranks.cuh"

namespace warpseed::suffix::cuda {

/// The inverse of the order so far: the rank of suffixes[i] is the row at which its group begins, which is the row of
/// the suffix itself if it is not tied.
///
/// suffixes, groups: of the member's rows; those of all members are a permutation of [0, rows.all). Every member must
///          call it.
/// Memory:  20 bytes per suffix of the member, including `suffixes` and its slice of the ranks; with others 24.
Ranks inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups, const TeamRows& rows,
              const TeamMember& member);

/// The same on one device and without ties: result[suffixes[row]] = row.
Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const Stream& stream);

}  // namespace warpseed::suffix::cuda
