// What overlap finds, in the coordinates of its input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpseed::overlap {

/// One record of one file.
struct SequenceInfo {
  std::string name;
  std::uint64_t length = 0;  // letters, N included
  std::uint32_t file = 0;    // number of its file in SequenceList::files
};

/// The sequences of one side, targets or queries, in the order of their files.
struct SequenceList {
  std::vector<std::string> files;
  std::vector<SequenceInfo> sequences;
};

/// The same bases at two places. Places are 0-based and on the forward strand of either sequence.
struct CommonRegion {
  std::uint32_t target = 0;        // number of the sequence among the targets
  std::uint32_t query = 0;         // number of the sequence among the queries
  std::uint64_t target_begin = 0;  // the region covers [begin, begin + length) of both
  std::uint64_t query_begin = 0;
  std::uint64_t length = 0;
  bool reverse = false;  // what stands in the target is the reverse complement of what stands in the query

  friend bool operator==(const CommonRegion&, const CommonRegion&) = default;
};

/// The longest common region of two sequences, and how often its bases stand there.
struct LongestRegion {
  CommonRegion region;
  std::uint64_t target_count = 0;  // occurrences in the target sequence, forward
  std::uint64_t query_count = 0;   // in the query sequence, on the strand of the match

  friend bool operator==(const LongestRegion&, const LongestRegion&) = default;
};

}  // namespace warpseed::overlap
