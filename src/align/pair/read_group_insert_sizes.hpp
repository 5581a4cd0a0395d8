// What distances mates have in each read group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/pair/insert_size_distribution.hpp"
#include "align/pipeline/read_alignments.hpp"

namespace warpseed::align {

/// Learns the insert sizes of every read group from the group's first reads. What is known after a call of
/// learn() depends on the calls alone.
class ReadGroupInsertSizes {
 public:
  /// A group's models are made anew after every call of learn() that has pairs of it, until they have come from this many
  /// reads and one is known. Calls of as many reads at a time leave nothing to chance.
  static constexpr std::uint64_t reads_to_learn_from = 32768;

  /// The same for all groups; nothing is learnt any more.
  void give(InsertSizeDistributions distributions);

  /// Looks at pairs, reads 2i and 2i + 1, their read groups and their places. A pair's group is the first mate's.
  void learn(std::span<const std::uint32_t> groups, std::span<const ReadAlignments> aligned, const Scoring& scoring);

  /// Whether pairs of reads in these groups would still change what is known.
  bool learns_from(std::span<const std::uint32_t> groups) const;

  /// Of a read group's number; nothing is known of one that has not been seen. Good until the next learn().
  const InsertSizeDistributions& of(std::uint32_t read_group) const;

  /// As many groups have numbers below this.
  std::uint32_t group_count() const { return static_cast<std::uint32_t>(groups_.size()); }

  /// Whether the group has had pairs.
  bool seen(std::uint32_t read_group) const;

 private:
  struct Group {
    InsertSizeDistributions distributions;
    InsertSizeSample sample;  // emptied when the models stand
    std::uint64_t reads = 0;  // so far
    bool stands = false;
    bool has_more = false;  // pairs since the models were made
  };
  static void renew(Group& group, const Scoring& scoring);

  std::vector<Group> groups_;          // by number
  InsertSizeDistributions otherwise_;  // of groups that are not there; of all when they are given
  bool given_ = false;
};

}  // namespace warpseed::align
