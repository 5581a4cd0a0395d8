// Brings the suffixes of a key range together that the members of a team have in lists of their own.
#pragma once

#include "core/device_team.cuh"
#include "suffix/key_ranges.cuh"
#include "suffix/suffix_list.cuh"

namespace warpseed::suffix::cuda {

/// Queues of a member for copies. A device copies from itself and from others at a time.
struct CopyQueues {
  WorkQueue own, others;

  explicit CopyQueues(int device) : own(device), others(device) {}
};

/// Copies in the background, while the member's stream works on other lists.
class Trade {
 public:
  /// Begins to copy; every member must construct one with its own list.
  ///
  /// mine: induced by its `lead` symbols from suffixes in this member's range. The members' lists then have, for each
  ///       value of these symbols, stretches that follow each other in the order of the members.
  /// memory: of `mine`; kept until finish().
  Trade(const SuffixList& mine, KeyedSuffixes memory, const KeyRanges& ranges, const TeamMember& member,
        const CopyQueues& queues);

  /// Waits, and gives all suffixes of this member's range from the lists of all members, in ascending order and stored
  /// like theirs. Every member must call it. Call once.
  KeyedSuffixes finish(const TeamMember& member);

 private:
  KeyedSuffixes mine_, taken_;
  QueueMark own_copied_, others_copied_;
};

}  // namespace warpseed::suffix::cuda
