// The regions that overlap finds, in the coordinates of its input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpseed::overlap {

/// One record of a file.
struct SequenceInfo {
  std::string name;
  std::uint64_t length = 0;  // characters, N included
  std::uint32_t file = 0;    // index into SequenceList::files
};

/// The sequences of one side, targets or queries, in file order.
struct SequenceList {
  std::vector<std::string> files;
  std::vector<SequenceInfo> sequences;
};

/// The same bases at two positions. Positions are 0-based and on the forward strand of each sequence.
struct CommonRegion {
  std::uint32_t target = 0;        // index of the target sequence
  std::uint32_t query = 0;         // index of the query sequence
  std::uint64_t target_begin = 0;  // the region covers [begin, begin + length) of both
  std::uint64_t query_begin = 0;
  std::uint64_t length = 0;
  bool reverse = false;  // the target's bases are the reverse complement of the query's

  friend bool operator==(const CommonRegion&, const CommonRegion&) = default;
};

/// The longest common region of two sequences, and how often its bases occur in each.
struct LongestRegion {
  CommonRegion region;
  std::uint64_t target_count = 0;  // occurrences in the target sequence, forward
  std::uint64_t query_count = 0;   // in the query sequence, on the strand of the match

  friend bool operator==(const LongestRegion&, const LongestRegion&) = default;
};

}  // namespace warpseed::overlap
