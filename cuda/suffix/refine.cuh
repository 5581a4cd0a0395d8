// From suffixes in the order of their first symbols to suffixes in order.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "sort/groups.cuh"

namespace warpseed::suffix::cuda {

/// So many suffixes share their first symbols with others that the device's memory does not hold them.
struct TooManyTies : BackendError {
  using BackendError::BackendError;
};

/// Sorts groups of suffixes that are tied in their first symbols until none are.
///
/// Only what is tied takes part in a round, sorted within its group by the rank of what follows the symbols that the
/// group shares; every round doubles their number.
/// Source: Manber and Myers, "Suffix arrays: a new method for on-line string searches", SIAM J. Comput. 1993; Larsson
///         and Sadakane, "Faster suffix sorting", Theor. Comput. Sci. 2007, for leaving out what is not tied.
///
/// suffixes: [count] slots in the order so far; in order when done.
/// ranks:    [count] by slot: the row at which the slot's group begins; kept up to date.
/// step:     slots from a tied suffix to the one that begins where the first comparison goes on. The tied ones share
///           at least the symbols between the two.
/// Memory: at most 42 bytes for each tied suffix; 26 while their groups are of up to 32,768.
/// Throws TooManyTies, before it changes anything, if that is not free.
/// memory_bytes: what the job may take altogether, 0 for all that is free.
void refine(Buffer<std::uint32_t>& suffixes, Buffer<std::uint32_t>& ranks, sort::cuda::Groups groups,
            std::uint64_t step, std::uint64_t memory_bytes, const Stream& stream, const StageDone& done);

}  // namespace warpseed::suffix::cuda
