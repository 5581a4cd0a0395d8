// Writes many ranks, in an order in which they are near each other.
#pragma once

#include <cstdint>

#include "core/device_team.cuh"
#include "suffix/ranks.cuh"

namespace warpseed::suffix::cuda {

/// New ranks of slots.
struct RankUpdates {
  Buffer<std::uint32_t> slots, ranks;
  std::uint64_t count = 0;  // of all that fit

  RankUpdates(std::uint64_t most, const Stream& stream) : slots(most, stream), ranks(most, stream) {}
};

/// Writes the updates of all members to the ranks: partitioned by the high bits of their slots, as random writes over all
/// the ranks take twice the time, and each by the member that has the slice. Every member must call it; the ranks are
/// there when the members have met.
///
/// slots: of all members: numbers of slots; no slot is updated twice.
/// Memory: 16 bytes per update, with `updates`; in a team up to 24.
void write_ranks(RankUpdates updates, std::uint64_t slots, const Ranks& ranks, const TeamMember& member);

}  // namespace warpseed::suffix::cuda
