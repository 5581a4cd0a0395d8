// Refines suffixes sorted by their first symbols to the full order.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"
#include "core/stage_done.hpp"
#include "sort/groups.cuh"
#include "suffix/ranks.cuh"

namespace warpseed::suffix::cuda {

/// More suffixes are tied in their first symbols than the device's memory holds.
struct TooManyTies : BackendError {
  using BackendError::BackendError;
};

/// Sorts groups of suffixes that are tied in their first symbols until none are left.
///
/// Only tied suffixes take part in a round. They are sorted within their group by the rank of the suffix that follows
/// the symbols shared by the group; every round doubles the number of these symbols.
/// Source: Manber and Myers, "Suffix arrays: a new method for on-line string searches", SIAM J. Comput. 1993; Larsson
///         and Sadakane, "Faster suffix sorting", Theor. Comput. Sci. 2007, for leaving out suffixes that are not tied.
///
/// suffixes: slots of the member's rows in the order so far; fully sorted on return.
/// ranks:    by slot: the row at which the slot's group begins; kept up to date.
/// groups:   of the member's rows. Every member must call it.
/// step:     slots from a tied suffix to the suffix at which the first comparison continues. Tied suffixes share at
///           least the symbols in between.
/// Memory:   at most 42 bytes per tied suffix; 26 while their groups have at most 32,768.
/// Throws TooManyTies, before it changes anything, if that is not free.
/// memory_bytes: limit of the job on each device; 0: all free memory.
void refine(Buffer<std::uint32_t>& suffixes, Ranks& ranks, sort::cuda::Groups groups, const TeamRows& rows,
            std::uint64_t step, std::uint64_t memory_bytes, const TeamMember& member, const StageDone& done);

/// Whether any member has a tied suffix.
bool any_tied(const sort::cuda::Groups& groups, const TeamMember& member);

}  // namespace warpseed::suffix::cuda
