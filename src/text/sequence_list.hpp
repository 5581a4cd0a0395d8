// Names and lengths of the sequences that a comparison is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpseed::text {

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

}  // namespace warpseed::text
