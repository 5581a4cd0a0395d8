// Brings the suffixes of a key range together that the members of a team have in lists of their own.
#pragma once

#include "core/device_team.cuh"
#include "suffix/key_ranges.cuh"
#include "suffix/merge_path.cuh"

namespace warpseed::suffix::cuda {

/// All suffixes of this member's range from the lists of all members, in ascending order; stored like theirs. Every
/// member must call it.
///
/// mine: induced by its `lead` symbols from suffixes in this member's range. The members' lists
///       then have, for each value of these symbols, stretches that follow each other in the order of the members.
/// Cost: every suffix is copied once.
KeyedSuffixes trade(const SuffixList& mine, const KeyRanges& ranges, const TeamMember& member);

}  // namespace warpseed::suffix::cuda
