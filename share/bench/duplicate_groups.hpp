// Whether of all reads of pairs that are equal by samtools' rule of duplicates exactly one is not marked.
#pragma once

#include <htslib/sam.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alignment_counts.hpp"

/// Records of one contig, by position. Mates on different strands alone: their 5' ends and strands are the rule; the
/// others are few.
class DuplicateGroups {
 public:
  explicit DuplicateGroups(AlignmentCounts& counts) : counts_(counts) {}

  /// mate_end: the 5' position of the mate.
  void add(const bam1_t* record, std::int64_t end, std::int64_t mate_end) {
    if (record->core.pos >= next_) count_before(record->core.pos - margin), next_ = record->core.pos + window;
    const std::uint64_t reverse = (record->core.flag & BAM_FREVERSE) != 0 ? 1 : 0;
    claims_.push_back({end, mate_end, static_cast<std::uint64_t>(record->core.mtid) << 1 | reverse,
                       (record->core.flag & BAM_FDUP) != 0});
  }

  void finish() { count_before(INT64_MAX); }

 private:
  // Records at later positions have no 5' end further upstream than their clipped bases.
  static constexpr std::int64_t margin = 1 << 16, window = 1 << 18;

  struct Claim {
    std::int64_t end, mate_end;
    std::uint64_t mate_contig_and_strand;
    bool marked;

    bool operator<(const Claim& other) const {
      if (end != other.end) return end < other.end;
      if (mate_end != other.mate_end) return mate_end < other.mate_end;
      return mate_contig_and_strand < other.mate_contig_and_strand;
    }
  };

  void count_before(std::int64_t position) {
    std::sort(claims_.begin(), claims_.end());
    auto group = claims_.begin();
    while (group != claims_.end() && group->end < position) {
      auto next = group;
      std::uint64_t kept = 0;
      for (; next != claims_.end() && !(*group < *next); ++next) kept += next->marked ? 0 : 1;
      ++counts_.groups;
      counts_.unmarked_groups += kept > 1 ? 1 : 0;
      counts_.lost_groups += kept == 0 ? 1 : 0;
      group = next;
    }
    claims_.erase(claims_.begin(), group);
  }

  AlignmentCounts& counts_;
  std::vector<Claim> claims_;
  std::int64_t next_ = window;
};
