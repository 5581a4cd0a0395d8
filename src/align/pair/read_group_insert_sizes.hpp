// Insert size distributions per read group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/pair/insert_size_distribution.hpp"
#include "align/pipeline/read_alignments.hpp"

namespace warpseed::align {

/// Learns the insert sizes of every read group from the group's first reads. The result depends only on the sequence of
/// learn() calls.
class ReadGroupInsertSizes {
 public:
  /// After every learn() that has pairs of a group, its distributions are computed again, until they are based on this
  /// many reads and one is known. Calls with this many reads each make the results reproducible.
  static constexpr std::uint64_t reads_to_learn_from = 32768;

  /// Sets the same distributions for all groups and stops learning.
  void set(InsertSizeDistributions distributions);

  /// Sets those of one group, whose pairs have been learnt from.
  void set_learnt(std::uint32_t read_group, InsertSizeDistributions distributions);

  /// Adds pairs, reads 2i and 2i + 1, with their read groups and alignments. A pair's group is the first mate's.
  void learn(std::span<const std::uint32_t> groups, std::span<const ReadAlignments> aligned, const Scoring& scoring);

  /// Whether pairs of reads in these groups would still change the distributions.
  bool learns_from(std::span<const std::uint32_t> groups) const;

  /// The distributions of a read group; none known for a group without pairs. Valid until the next learn().
  const InsertSizeDistributions& of(std::uint32_t read_group) const;

  /// All group numbers are below this.
  std::uint32_t group_count() const { return static_cast<std::uint32_t>(groups_.size()); }

  /// Whether the group has pairs.
  bool seen(std::uint32_t read_group) const;

  /// Whether more pairs of the group would not change its distributions.
  bool is_final(std::uint32_t read_group) const;

 private:
  struct Group {
    InsertSizeDistributions distributions;
    InsertSizeSample sample;  // cleared when the distributions are final
    std::uint64_t reads = 0;  // so far
    bool final = false;
    bool has_more = false;  // pairs since the distributions were computed
  };
  static void update(Group& group, const Scoring& scoring);

  std::vector<Group> groups_;        // by number
  InsertSizeDistributions default_;  // for groups not in groups_; for all groups when given
  bool given_ = false;
};

}  // namespace warpseed::align
